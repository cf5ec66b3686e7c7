/**
 * Documents in, one segment out.
 *
 * Pure but for the directory that `write` is given, so it runs in any thread. The same documents in the same order give
 * the same bytes.
 */
import { type Document, type FieldValue, fieldsOf, type NumberedField, type Schema } from '../document.ts';
import { IndexError } from '../errors.ts';
import { encodeLength } from '../format/norms.ts';
import type { IndexedField } from '../format/segment.ts';
import { StoredWriter } from '../format/stored.ts';
import type { Directory, Output } from '../io/directory.ts';
import type { FileSeal } from '../io/frame.ts';
import { isSegmentName, type SegmentFile, segmentFile } from '../io/names.ts';
import { type Analyzer, FNV_START, MAX_TERM, type TokenSink } from '../text/analyzer.ts';
import { createChain } from '../text/chains.ts';
import { ColumnBuilder, misfit } from './column-builder.ts';
import { finishSegment, removeSegment, TermFiles } from './files.ts';
import { MAX_UNITS, TermTable } from './term-table.ts';
import { writeTerms } from './write-terms.ts';

/** Positions left free between two values of one field, so that no phrase crosses. */
const VALUE_GAP = 100;

export interface BuilderOptions {
  /**
   * `full` turns true above this many bytes of memory in use; 160 MB when absent, enough for a million short documents in one
   * segment. While a segment is written it takes about a third more. Threads that build side by side should share it out.
   */
  readonly budgetBytes?: number;
  /**
   * Where stored fields go as they come, with the segment's name: `write` is then called with the same. Kept in memory, a
   * third of their length, when absent.
   */
  readonly storeInto?: { readonly directory: Directory; readonly name: string };
  /** The analysis chains by name. */
  readonly chain?: (name?: string) => Analyzer | undefined;
}

/** What was written, for IndexWriter.attach. */
export interface BuiltSegment {
  readonly name: string;
  readonly docs: number;
  /** Documents that a later one of the same key replaced. */
  readonly replaced: readonly number[];
}

interface FieldState {
  readonly field: NumberedField;
  readonly analyzer: Analyzer | null;
  readonly column: ColumnBuilder | null;
  /** Length byte of each document; null where the field has none. */
  norms: Uint8Array | null;
  tokens: number;
  /** Documents with a token. */
  docs: number;
}

export class SegmentBuilder {
  readonly schema: Schema;
  /** Documents added. */
  docs = 0;
  readonly #fields: FieldState[] = [];
  readonly #byName = new Map<string, FieldState>();
  readonly #budget: number;
  readonly #terms = new TermTable();
  /** Terms of the key apart: as many as documents, nearly all of them met once, they would crowd out those met all the time. */
  readonly #keys = new TermTable();
  readonly #sink: Sink;
  readonly #keyUnits = new Uint16Array(MAX_UNITS);
  /** Absent where stored fields go to their file at once. */
  readonly #kept: Kept | null;
  readonly #storeInto: BuilderOptions['storeInto'];
  readonly #stored: StoredWriter;
  readonly #storedFields: FieldState[];
  /** Of the document that is being added. */
  readonly #storedIds: number[] = [];
  readonly #storedValues: FieldValue[] = [];
  readonly #key: FieldState;
  readonly #lang: string | undefined;
  #replaced: number[] = [];
  #written = false;

  constructor(schema: Schema, options: BuilderOptions = {}) {
    const chain = options.chain ?? createChain;
    this.schema = schema;
    this.#budget = options.budgetBytes ?? 160 << 20;
    for (const field of fieldsOf(schema).values()) {
      const analysed = field.index === 'text' || field.index === 'bag';
      const analyzer = analysed ? chain(field.analyzer) : null;
      if (analyzer === undefined) {
        throw new IndexError('bad-schema', `field ${field.name} wants the chain ${field.analyzer}, which is not known`);
      }
      const state: FieldState = {
        field,
        analyzer,
        column: field.column ? new ColumnBuilder(field.column) : null,
        norms: analysed ? new Uint8Array(1024) : null,
        tokens: 0,
        docs: 0,
      };
      this.#fields.push(state);
      this.#byName.set(field.name, state);
    }
    this.#storedFields = this.#fields.filter(({ field }) => field.stored);
    this.#key = this.#byName.get(schema.key)!;
    this.#lang = schema.lang;
    this.#sink = new Sink(this.#terms);
    const into = options.storeInto;
    this.#storeInto = into;
    if (into) checkName(into.name);
    this.#kept = into ? null : new Kept();
    this.#stored = into
      ? new StoredWriter(into.directory, segmentFile(into.name, 'sto'))
      : new StoredWriter(this.#kept!, '');
  }

  /** Memory held, in bytes, about. */
  get bytes(): number {
    let sum = this.#terms.bytes + this.#keys.bytes + (this.#kept?.length ?? 0);
    for (const state of this.#fields) sum += (state.column?.bytes ?? 0) + (state.norms?.length ?? 0);
    return sum;
  }
  /** Time to write it and go on with a new one. */
  get full(): boolean {
    return this.bytes >= this.#budget;
  }

  /**
   * Adds a document; its number. One with the same key that was added before counts as replaced.
   *
   * Properties that the schema does not name are refused, so that a misspelt field is noticed.
   * @throws IndexError 'bad-document', and then nothing of it was added
   */
  add(document: Document): number {
    this.#check(document);
    const doc = this.docs++;
    const given = this.#lang === undefined ? undefined : document[this.#lang];
    const lang = typeof given === 'string' ? given : '';
    for (const state of this.#fields) {
      const value = document[state.field.name];
      if (state.norms && doc >= state.norms.length) state.norms = grown(state.norms);
      if (value === undefined) continue;
      state.column?.set(doc, value);
      if (state.analyzer) this.#analyse(state, state.analyzer, doc, value, lang);
      else if (state.field.index === 'keyword') this.#keyword(state, doc, value);
    }
    const ids = this.#storedIds;
    const values = this.#storedValues;
    ids.length = 0;
    values.length = 0;
    for (const { field } of this.#storedFields) {
      const value = document[field.name];
      if (value === undefined) continue;
      ids.push(field.id);
      values.push(value);
    }
    this.#stored.add(ids, values);
    return doc;
  }

  /** Writes all files of the segment. The builder is used up. A failure leaves no file behind where the system lets it. */
  write(directory: Directory, name: string): BuiltSegment {
    if (this.#written) throw new IndexError('closed', 'a builder writes one segment; make a new one for the next');
    checkName(name);
    if (this.#storeInto && name !== this.#storeInto.name)
      throw new IndexError('bad-document', `stored fields lie in segment ${this.#storeInto.name}, not in ${name}`);
    this.#written = true;
    let files: TermFiles | undefined;
    try {
      const seals = new Map<SegmentFile, FileSeal>();
      seals.set('sto', this.#writeStored(directory, segmentFile(name, 'sto')));
      files = new TermFiles(directory, name);
      writeTerms(files, this.#fields, this.#terms, this.#keys, this.#key.field.id);
      files.close(seals);
      files = undefined;
      const fields = new Map<number, IndexedField>();
      const norms = new Map<number, Uint8Array>();
      const columns = new Map<number, ReturnType<ColumnBuilder['take']>>();
      for (const { field, analyzer, tokens, docs, column, norms: lengths } of this.#fields) {
        if (field.index !== 'none') fields.set(field.id, { analyzer: analyzer?.name ?? '', tokens, docs });
        if (lengths) norms.set(field.id, lengths.subarray(0, this.docs));
        if (column) columns.set(field.id, column.take(this.docs));
      }
      finishSegment(directory, name, { docs: this.docs, schema: this.schema, fields, norms, columns }, seals);
    } catch (error) {
      files?.abandon();
      if (this.#storeInto) this.#stored.abandon();
      removeSegment(directory, name);
      throw error;
    }
    return { name, docs: this.docs, replaced: this.#replaced };
  }

  /** Ends a builder that will not be written. Only one with `storeInto` has something to leave; what it leaves goes. */
  abandon(): void {
    if (this.#written) return;
    this.#written = true;
    if (!this.#storeInto) return;
    this.#stored.abandon();
    removeSegment(this.#storeInto.directory, this.#storeInto.name);
  }

  #check(document: Document): void {
    const { key: keyName } = this.schema;
    const key = document[keyName];
    if (typeof key !== 'string' || key === '') throw this.#wrong(document, keyName, 'is the key and must be a text');
    if (key.length > MAX_UNITS) throw this.#wrong(document, keyName, `is the key and longer than ${MAX_UNITS}`);
    for (const name in document) {
      const value = document[name];
      if (value === undefined) continue;
      const state = this.#byName.get(name);
      if (!state) throw this.#wrong(document, name, 'is not in the schema');
      const { column, index } = state.field;
      const unfit = column ? misfit(column, value) : null;
      if (unfit) throw this.#wrong(document, name, unfit);
      if (typeof value === 'string' || typeof value === 'number') continue;
      if (value instanceof Uint8Array) {
        if (index !== 'none') throw this.#wrong(document, name, 'is searched and must be no bytes');
      } else if (!Array.isArray(value) || !value.every((part) => typeof part === 'string')) {
        throw this.#wrong(document, name, 'is neither text, number, bytes nor a list of texts');
      }
    }
  }

  #wrong(document: Document, name: string, what: string): IndexError {
    return new IndexError('bad-document', `document ${shortened(document[this.schema.key])}: field ${name} ${what}`);
  }

  #analyse(state: FieldState, analyzer: Analyzer, doc: number, value: FieldValue, lang: string): void {
    const sink = this.#sink;
    sink.start(state.field.id, doc, state.field.index === 'text');
    if (typeof value === 'string') analyzer.analyze(value, lang, sink);
    else if (typeof value === 'number') analyzer.analyze(String(value), lang, sink);
    else {
      for (const text of value as readonly string[]) {
        const took = analyzer.analyze(text, lang, sink);
        sink.base += took + VALUE_GAP;
      }
    }
    if (sink.tokens === 0) return;
    state.tokens += sink.tokens;
    state.docs++;
    // A document of tokens that all stand where another does cannot be: the first stands for itself.
    state.norms![doc] = encodeLength(sink.length);
  }

  #keyword(state: FieldState, doc: number, value: FieldValue): void {
    let tokens = 0;
    if (!Array.isArray(value))
      tokens = this.#keywordTerm(state, doc, typeof value === 'string' ? value : String(value));
    else for (const text of value as readonly string[]) tokens += this.#keywordTerm(state, doc, text);
    state.tokens += tokens;
    if (tokens > 0) state.docs++;
  }

  /** 0 when the document has the term already. */
  #keywordTerm(state: FieldState, doc: number, text: string): number {
    const length = Math.min(text.length, MAX_UNITS);
    if (length === 0) return 0;
    const units = this.#keyUnits;
    let hash = FNV_START;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      units[i] = unit;
      hash = Math.imul(hash ^ unit, 0x01000193);
    }
    const isKey = state === this.#key;
    const before = (isKey ? this.#keys : this.#terms).addOnce(state.field.id, units, length, hash, doc);
    if (isKey && before >= 0) this.#replaced.push(before);
    return before === doc ? 0 : 1;
  }

  #writeStored(directory: Directory, file: string): FileSeal {
    const seal = this.#stored.close();
    if (this.#kept === null) return seal;
    const output = directory.create(file);
    try {
      for (const part of this.#kept.parts) output.write(part);
    } finally {
      output.close();
    }
    return seal;
  }
}

/** Takes the tokens of one field of one document after the other. */
class Sink implements TokenSink {
  readonly units = new Uint16Array(MAX_TERM + 1);
  /** Position of the first token of the value that is being read. */
  base = 0;
  tokens = 0;
  /** Tokens that do not stand where the one before stands. */
  length = 0;
  readonly #terms: TermTable;
  #field = 0;
  #doc = 0;
  #withPositions = false;
  #last = -1;

  constructor(terms: TermTable) {
    this.#terms = terms;
  }
  start(field: number, doc: number, withPositions: boolean): void {
    this.#field = field;
    this.#doc = doc;
    this.#withPositions = withPositions;
    this.base = 0;
    this.tokens = 0;
    this.length = 0;
    this.#last = -1;
  }
  token(length: number, hash: number, position: number): void {
    const at = this.base + position;
    this.tokens++;
    if (at !== this.#last) {
      this.length++;
      this.#last = at;
    }
    this.#terms.add(this.#field, this.units, length, hash, this.#doc, this.#withPositions ? at : 0);
  }
}

/** An output that keeps what it is given. */
class Kept implements Pick<Directory, 'create'> {
  readonly parts: Uint8Array[] = [];
  length = 0;

  create(): Output {
    return {
      write: (bytes) => {
        this.parts.push(bytes.slice());
        this.length += bytes.length;
      },
      close: () => {},
    };
  }
}

function grown(bytes: Uint8Array): Uint8Array {
  const more = new Uint8Array(bytes.length * 2);
  more.set(bytes);
  return more;
}

function checkName(name: string): void {
  if (!isSegmentName(name)) throw new IndexError('bad-document', `${JSON.stringify(name)} cannot name a segment`);
}

/** A key in a message: enough to find it. */
function shortened(key: unknown): string {
  const text = JSON.stringify(key) ?? 'without a key';
  return text.length <= 200 ? text : `${text.slice(0, 200)}...`;
}
