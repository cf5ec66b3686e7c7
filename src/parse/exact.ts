import { type QuoteType, Tokenizer } from 'htmlparser2';
import type { Nesting } from './nesting.ts';

/**
 * The exact reader: htmlparser2's tokenizer, whose tokens go straight to the tape.
 *
 * The page is given to it as a string of one character a byte. All markup is ASCII and every byte of a longer UTF-8
 * sequence is above it, so the tokens are the same and their positions are positions in the bytes: no text is copied and
 * no tree is built. Nesting is the tape's, which bounds its depth, so hostile nesting costs what plain nesting does.
 *
 * Cost: linear in the page; the string is one byte a byte and goes when the call ends.
 */
export function readExact(page: Buffer, tape: Nesting): void {
  new Reader(page, tape).run();
}

/** Elements whose content has no markup and no character references. */
const RAW = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);

class Reader {
  private readonly page: Buffer;
  private readonly tape: Nesting;
  private nameFrom = 0;
  private nameTo = 0;
  private valueFrom = -1;
  private valueTo = -1;
  /** Inside an element of RAW. */
  private raw = false;
  private rawPending = false;

  constructor(page: Buffer, tape: Nesting) {
    this.page = page;
    this.tape = tape;
  }

  run(): void {
    const tokenizer = new Tokenizer({ decodeEntities: false, recognizeSelfClosing: this.tape.xml }, this);
    tokenizer.write(this.page.toString('latin1', 0, this.page.length));
    tokenizer.end();
  }

  isInForeignContext(): boolean {
    return this.tape.inForeign();
  }
  ontext(from: number, to: number): void {
    if (this.raw) this.tape.raw(from, to);
    else this.tape.text(from, to);
  }
  onopentagname(from: number, to: number): void {
    this.tape.start(from, to);
    this.rawPending =
      to - from <= 9 && !this.tape.inForeign() && RAW.has(this.page.toString('latin1', from, to).toLowerCase());
  }
  onattribname(from: number, to: number): void {
    this.nameFrom = from;
    this.nameTo = to;
    this.valueFrom = -1;
  }
  onattribdata(from: number, to: number): void {
    if (this.valueFrom < 0) this.valueFrom = from;
    this.valueTo = to;
  }
  onattribend(_quote: QuoteType, end: number): void {
    const from = this.valueFrom < 0 ? end : this.valueFrom;
    this.tape.attributeAt(this.nameFrom, this.nameTo, from, this.valueFrom < 0 ? end : this.valueTo);
    this.valueFrom = -1;
  }
  onopentagend(): void {
    this.tape.startEnd(false);
    this.raw = this.rawPending;
  }
  onselfclosingtag(): void {
    this.tape.startEnd(true);
    this.raw = this.rawPending && !this.tape.xml;
  }
  onclosetag(from: number, to: number): void {
    this.raw = false;
    this.tape.close(from, to);
  }
  oncomment(from: number, to: number, offset: number): void {
    this.tape.comment(from, to - offset);
  }
  oncdata(from: number, to: number, offset: number): void {
    if (this.tape.xml || this.tape.inForeign()) this.tape.raw(from, to - offset);
  }
  // What these hold is neither text nor a link; the tokenizer wants them.
  onattribentity(): void {}
  ontextentity(): void {}
  ondeclaration(): void {}
  onprocessinginstruction(): void {}
  onend(): void {}
}
