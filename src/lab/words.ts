import { mix, skewed, unit } from './seeded.ts';

/**
 * Text for pages of the lab: common words of a language, so that detection and stemming have something to work on,
 * mixed with invented ones, so that there is something to search for. Made once, as encoded paragraphs.
 */
interface Language {
  readonly common: readonly string[];
  readonly syllables: readonly string[];
  readonly space: string;
  readonly stop: string;
}

const list = (words: string): string[] => words.split(' ');

const LANGUAGES: Readonly<Record<string, Language>> = {
  en: {
    common: list(
      'the of and to in a is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so no about out up into than them only other time new some could these two may then do first any my now such like our over man me even most made after also did many before must through back years where much your way well down should because each just those people',
    ),
    syllables: list('ba ber con der el fen gar han il jor ken lan mer nor ol per quil ran sel ton un ver wil yar zen'),
    space: ' ',
    stop: '. ',
  },
  de: {
    common: list(
      'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei kann wenn ihre alle wieder meine zeit gegen vom ganz einzelnen wo muss ohne können diese dieser schon unter wir soll ich eines',
    ),
    syllables: list(
      'bach berg burg dorf feld gart haus kirch land mühl nord ober rein schul stein süd tal wald wies zell',
    ),
    space: ' ',
    stop: '. ',
  },
  fr: {
    common: list(
      'de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec son cette été mais ses comme on ou leur aux elle nous même deux ont sans être peut fait ces bien où tout entre aussi très après avant encore autre depuis toujours faire temps année jour sous leurs chaque ainsi alors',
    ),
    syllables: list('beau cham dou fon gar hau join lac mont neu or pré roc sain val ville bois clair mar ron'),
    space: ' ',
    stop: '. ',
  },
  es: {
    common: list(
      'de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha me si sin sobre este ya entre cuando todo esta ser son dos también fue había era muy años hasta desde está mi porque qué sólo han yo hay vez puede todos así nos ni parte tiene él uno donde bien tiempo mismo ese ahora cada e vida otro después',
    ),
    syllables: list('ar bar cal der en fer gal her is jar lor mon nes or pal quin ros sal tor val vez zar'),
    space: ' ',
    stop: '. ',
  },
  ru: {
    common: list(
      'и в не на я быть он с что а по это она этот к но они мы весь который из у то за свой что весь год от так о для ты же все тот мочь вы человек такой его сказать только или ещё бы себя один как уже до время если сам когда другой вот говорить наш мой знать стать при чтобы дело жизнь кто первый очень два день её новый рука даже во со раз где там под можно ну какой после их работа без самый потом надо хотеть ли слово идти большой должен место иметь ничто',
    ),
    syllables: list('бор вал гор дол ел жар зор кам лес мор нив озер пол рек сад тих ут хол чист ясн'),
    space: ' ',
    stop: '. ',
  },
  ja: {
    common: list(
      'これは それは この その ここで 今日は 私たちは 日本の 東京の 人々が 時間を 世界で 新しい 大きな 小さな とても また そして しかし だから 学校で 電車に 乗って 本を 読んで 水を 飲んで 山に 登って 海を 見て 友達と 話して 家に 帰って 仕事を して います ありました できます でした です',
    ),
    syllables: list('川 森 空 星 花 鳥 風 月 雪 石 木 火 土 金 田 村 町 橋 島 谷'),
    space: '',
    stop: '。',
  },
};

export const languageNames = Object.keys(LANGUAGES);

/** The n-th invented word of a language; word 0 is a single syllable, length grows with the logarithm of n. */
export function inventedWord(language: string, n: number): string {
  const { syllables } = LANGUAGES[language] ?? LANGUAGES.en!;
  let rest = n;
  let word = '';
  do {
    word += syllables[rest % syllables.length];
    rest = Math.floor(rest / syllables.length) - 1;
  } while (rest >= 0);
  return word;
}

const VOCABULARY = 20_000;

/** A few words of a language, drawn by a seed: a title, a link text. */
export function phrase(language: string, seed: number, words: number): string {
  const { space } = LANGUAGES[language] ?? LANGUAGES.en!;
  const parts: string[] = [];
  for (let i = 0; i < words; i++) parts.push(inventedWord(language, skewed(unit(seed, i, 77), VOCABULARY, 4)));
  const text = parts.join(space);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(language: Language, name: string, seed: number): string {
  const length = 8 + (mix(seed, 1) % 10);
  const parts: string[] = [];
  for (let i = 0; i < length; i++) {
    const u = unit(seed, i, 2);
    parts.push(
      unit(seed, i, 3) < 0.55
        ? language.common[skewed(u, language.common.length, 1.5)]!
        : inventedWord(name, skewed(u, VOCABULARY, 4)),
    );
  }
  const text = parts.join(language.space);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Paragraphs kept ready for each language: pages are stitched from them, so that a page costs copies, not words. */
export const PARAGRAPHS = 512;

/** The ready paragraphs of a language, as UTF-8 `<p>` elements of some 400 bytes. About 0.3 MB a language. */
export function paragraphs(name: string, seed: number): readonly Uint8Array[] {
  const language = LANGUAGES[name] ?? LANGUAGES.en!;
  return Array.from({ length: PARAGRAPHS }, (_, i) => {
    const sentences: string[] = [];
    const count = 2 + (mix(seed, i, 4) % 5);
    for (let s = 0; s < count; s++) sentences.push(sentence(language, name, mix(seed, i, 100 + s)));
    return Buffer.from(`<p>${sentences.join(language.stop)}${language.stop.trim()}</p>\n`);
  });
}
