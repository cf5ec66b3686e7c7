import { type HTMLElement, NodeType, parse } from 'node-html-parser';
import type { Nesting, NestingOptions } from './nesting.ts';
import { FLAGS, findTag, nameHash, VOID } from './tags.ts';

/**
 * The loose reader: node-html-parser, for who asks for it (`index.parser: 'loose'`). Never the default.
 *
 * Its limits (version 9), where the other readers do what a browser does:
 * - It repairs nesting by guesses of its own: elements left open take in what follows, text may be lost with them.
 * - An attribute written twice has its last value, a missing quote spoils the links after it, `<a/href="/x">` has none.
 * - The names of end tags are compared as they are written: `</DIV>` does not end `<div>`.
 * - `xmp`, `plaintext` and `template` are elements like others; textarea and iframe may hold live elements.
 * - Deep nesting and end tags that end nothing cost the square of their number.
 *
 * So a page is prepared for it: comments, doctypes, processing instructions, CDATA marks, scripts and styles are cut out
 * (but for JSON-LD), the title is read apart, and a page nested deeper than MAX_OPEN goes to another reader. Its answer is
 * walked without recursion, and everything kept is copied: its own strings hold the whole page alive.
 * Cost: about that of a tree by htmlparser2; memory some eight times the page while it runs.
 */
export function readLoose(page: Buffer, tape: Nesting, how: NestingOptions): boolean {
  const source = page.toString('latin1');
  const title = /<title(?:\s[^>]*)?>([\s\S]*?)<\/title[\s>/]/i.exec(source)?.[1] ?? '';
  const html = source.replace(CUT, '');
  if (isDeep(html)) return false;
  const root = parse(html, {
    closeAllByClosing: true,
    parseNoneClosedTags: true,
    blockTextElements: { script: true, style: true, noscript: false },
  } as Parameters<typeof parse>[1]);
  new Walk(tape, page.length * 2 + 4096).run(root, title, how);
  return true;
}

/** Each alternative ends at the end of the page if it does not end before: no position is looked at twice. */
const CUT =
  /<!--(?:>|->|[\s\S]*?(?:--!?>|$))|<!\[CDATA\[|<[!?][^>]*(?:>|$)|<title(?:\s[^>]*)?>[\s\S]*?(?:<\/title[^>]*>|$)|<(?:script(?![^>]*ld\+json)|style)(?:[\s/][^>]*)?>[\s\S]*?(?:<\/(?:script|style)[^>]*>|$)/gi;

/** Open elements beyond which its cost grows with the square. */
const MAX_OPEN = 256;

function isDeep(html: string): boolean {
  let open = 0;
  for (const [tag] of html.matchAll(/<\/?[a-zA-Z][^\s/>]*/g)) {
    if (tag[1] === '/') open = Math.max(0, open - 1);
    else if (!isVoid(tag.slice(1)) && ++open > MAX_OPEN) return true;
  }
  return false;
}

function isVoid(name: string): boolean {
  const bytes = Buffer.from(name, 'latin1');
  return (FLAGS[findTag(nameHash(bytes, 0, bytes.length))]! & VOID) !== 0;
}

/** Copies names, values and texts into one buffer, which becomes the tape's. */
class Walk {
  private readonly tape: Nesting;
  private readonly bytes: Buffer;
  private end = 0;

  constructor(tape: Nesting, room: number) {
    this.tape = tape;
    this.bytes = Buffer.allocUnsafeSlow(room);
  }

  run(root: HTMLElement, title: string, how: NestingOptions): void {
    const { tape } = this;
    tape.begin(this.bytes, how);
    if (title !== '') {
      this.open('title', {});
      this.text(title);
      this.close('title');
    }
    // A node to enter, or the name of an element to leave.
    const stack: (HTMLElement['childNodes'][number] | string)[] = [...root.childNodes].reverse();
    while (stack.length > 0) {
      const node = stack.pop()!;
      if (typeof node === 'string') this.close(node);
      else if (node.nodeType === NodeType.TEXT_NODE) this.text(node.rawText);
      else if (node.nodeType === NodeType.ELEMENT_NODE) {
        const element = node as HTMLElement;
        const name = element.rawTagName ?? '';
        if (name !== '') {
          this.open(name, element.rawAttributes);
          if (!isVoid(name)) stack.push(name);
        }
        for (let i = element.childNodes.length - 1; i >= 0; i--) stack.push(element.childNodes[i]!);
      }
    }
    tape.end();
  }

  private write(text: string): number {
    const from = this.end;
    this.end += this.bytes.write(text, from, 'latin1');
    return from;
  }

  private text(text: string): void {
    const from = this.write(text);
    this.tape.text(from, this.end);
  }

  private open(name: string, attributes: Readonly<Record<string, string>>): void {
    const from = this.write(name);
    this.tape.start(from, this.end);
    for (const [attribute, value] of Object.entries(attributes)) {
      const nameFrom = this.write(attribute);
      const nameTo = this.end;
      const valueFrom = this.write(value ?? '');
      this.tape.attributeAt(nameFrom, nameTo, valueFrom, this.end);
    }
    this.tape.startEnd(false);
  }

  private close(name: string): void {
    const from = this.write(name);
    this.tape.close(from, this.end);
  }
}
