/**
 * Stems, by language: which forms of a word a query for one of them should find.
 *
 * Nothing stemmed is ever indexed. A query's word is expanded to the terms of the dictionary that share its stem
 * (query/expand.ts), so the form that was typed can outrank the others, and a better stemmer needs no new index.
 * Terms are folded, and so are the words given here. English by Snowball's English (Porter 2) of snowball-stemmers, the
 * others by @orama/stemmers; test/index/text/stem.test.ts holds the agreement of each with Snowball's vocabularies.
 */
import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as armenian } from '@orama/stemmers/armenian';
import { stemmer as bulgarian } from '@orama/stemmers/bulgarian';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as german } from '@orama/stemmers/german';
import { stemmer as greek } from '@orama/stemmers/greek';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as indonesian } from '@orama/stemmers/indonesian';
import { stemmer as irish } from '@orama/stemmers/irish';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as lithuanian } from '@orama/stemmers/lithuanian';
import { stemmer as nepali } from '@orama/stemmers/nepali';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as serbian } from '@orama/stemmers/serbian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as tamil } from '@orama/stemmers/tamil';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';
import * as snowballModule from 'snowball-stemmers';

export type Stemmer = (word: string) => string;

// A loader that makes a CommonJS module of this file hands the other's exports over without a default.
const snowball = snowballModule.default ?? (snowballModule as unknown as typeof snowballModule.default);
const english = snowball.newStemmer('english');
const byLang: Record<string, Stemmer> = {
  ar: arabic,
  bg: bulgarian,
  da: danish,
  de: german,
  el: greek,
  en: (word) => english.stem(word),
  es: spanish,
  fi: finnish,
  fr: french,
  ga: irish,
  hi: hindi,
  hu: hungarian,
  hy: armenian,
  id: indonesian,
  it: italian,
  lt: lithuanian,
  nb: norwegian,
  ne: nepali,
  nl: dutch,
  nn: norwegian,
  no: norwegian,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sr: serbian,
  sv: swedish,
  ta: tamil,
  tr: turkish,
  uk: ukrainian,
};
export const stemmedLangs: readonly string[] = Object.keys(byLang);

/** Stems remembered a language; beyond it the memory starts anew. */
const REMEMBERED = 50_000;
const remembering = new Map<string, Stemmer | undefined>();
const hasDigit = /[\d_.@+#&-]/;

/** The stemmer of a language (BCP 47), which remembers; undefined where there is none. A word with a digit is its own stem. */
export function stemmerOf(lang: string): Stemmer | undefined {
  const base = lang.toLowerCase().split(/[-_]/)[0]!;
  if (remembering.has(base)) return remembering.get(base);
  if (!Object.hasOwn(byLang, base)) return undefined;
  const stem = byLang[base]!;
  const known = new Map<string, string>();
  const remembered: Stemmer = (word) => {
    let found = known.get(word);
    if (found !== undefined) return found;
    found = hasDigit.test(word) ? word : stem(word) || word;
    if (known.size >= REMEMBERED) known.clear();
    known.set(word, found);
    return found;
  };
  remembering.set(base, remembered);
  return remembered;
}
