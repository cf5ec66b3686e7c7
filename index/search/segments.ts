/** The segments of a snapshot as one: their documents, columns and statistics, by the names that queries use. */
import type { Column } from '../format/columns.ts';
import type { Allowance } from '../query/allowance.ts';
import { BM25 } from '../query/bm25.ts';
import { Compiler, CursorPool } from '../query/compile.ts';
import type { Docs } from '../query/docs.ts';
import type { Plan } from '../query/plan.ts';
import { Statistics } from '../query/statistics.ts';
import type { Prior } from '../query/top.ts';
import type { SegmentReader } from '../segment/reader.ts';
import type { DocRef, SearcherOptions } from './request.ts';

export class Segments {
  readonly all: readonly SegmentReader[];
  readonly stats: Statistics;
  readonly pool = new CursorPool();
  /** By segment: the number of its first document over all. */
  readonly bases: readonly number[];
  readonly options: SearcherOptions;
  /** The field of exact titles; undefined where there is none. */
  readonly titleField: string | undefined;
  /** The field of headings; undefined where there is none. */
  readonly headingField: string | undefined;
  /** Language of queries that name none. */
  readonly lang: string;
  /** Maps, since names come from outside: `toString` is one like any other. */
  readonly aliases: ReadonlyMap<string, string>;
  readonly #beside: ReadonlyMap<string, readonly Column[]>;

  constructor(all: readonly SegmentReader[], options: SearcherOptions) {
    this.all = all;
    this.options = options;
    this.aliases = new Map(Object.entries(options.aliases ?? {}));
    this.#beside = new Map(Object.entries(options.columns ?? {}));
    this.stats = new Statistics(all, options.bm25 ?? BM25, options.analyzers);
    let base = 0;
    this.bases = all.map((segment) => {
      const own = base;
      base += segment.docs;
      return own;
    });
    this.titleField = this.#textField(options.titleField, 'title');
    this.headingField = this.#textField(options.headingField, 'headings');
    this.lang = options.lang ?? this.#commonLang() ?? 'en';
  }

  /** Documents of the plan in one of them; null when there are none. Without `allowance` to the end. */
  docs(plan: Plan, segment: SegmentReader, allowance?: Allowance): Docs | null {
    return new Compiler(segment, this.stats, this.pool, allowance).docs(plan);
  }

  /** Where a document over all lies. */
  ref(global: number): DocRef {
    let segment = this.bases.length - 1;
    while (this.bases[segment]! > global) segment--;
    return { segment, doc: global - this.bases[segment]! };
  }

  #textField(given: string | null | undefined, usual: string): string | undefined {
    const name = given === undefined ? usual : given;
    return name !== null && this.stats.fields.get(name)?.index === 'text' ? name : undefined;
  }

  fieldOf(name: string): string | undefined {
    const field = this.aliases.get(name) ?? name;
    return this.stats.fields.has(field) ? field : undefined;
  }

  /** The column of a field in each segment. */
  columns(name: string): readonly (Column | null)[] {
    const beside = this.#beside.get(name);
    if (beside) return beside;
    const field = this.fieldOf(name);
    return this.all.map((segment) => (field === undefined ? null : segment.column(field)));
  }

  hasColumn(name: string): boolean {
    return this.columns(name).some((column) => column !== null);
  }

  /** Fields of the schema whose values have an order: to sort, group and count by. */
  get ordered(): readonly string[] {
    return [...this.stats.fields.values()]
      .filter(({ column }) => column === 'string' || column === 'u32' || column === 'f64')
      .map(({ name }) => name);
  }

  prior(segment: SegmentReader): Prior | null {
    const { prior } = this.options;
    if (!prior) return null;
    const column = segment.column(prior.field);
    if (column?.kind !== 'f64' && column?.kind !== 'u32') return null;
    const { values } = column;
    const most = prior.most ?? 1.3;
    const half = prior.half ?? 1;
    return {
      most,
      factor(doc) {
        const value = values[doc]!;
        return value > 0 ? 1 + ((most - 1) * value) / (value + half) : 1;
      },
    };
  }

  #commonLang(): string | undefined {
    const name = this.all[0]?.schema.lang;
    if (name === undefined) return undefined;
    const counts = new Map<string, number>();
    for (const segment of this.all) {
      const column = segment.column(name);
      if (column?.kind !== 'string') continue;
      // A sample of evenly spread documents is enough to know which language leads.
      const step = Math.max(1, Math.floor(segment.docs / 500));
      for (let doc = 0; doc < segment.docs; doc += step) {
        const lang = column.dictionary.value(column.ordinals[doc]!);
        if (lang) counts.set(lang, (counts.get(lang) ?? 0) + 1);
      }
    }
    return [...counts.entries()].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0];
  }
}
