/**
 * The language of a text by its script and its smallest words: what `the`, `der`, `les` tell. Small on purpose: a table
 * of some 130 kB, no load, no dependency, where trained models take 85 to 380 MB a thread. Good from some twenty words on;
 * says '' rather than guess. On paragraphs of 100 characters and more of a technical manual in 19 languages: see the
 * figures in test/src/parse/language.test.ts.
 */

/** Words that are frequent in a language and rare in its neighbours. */
const WORDS: Readonly<Record<string, string>> = {
  en: 'the of and to in is that for it as was with be by on not he this are or his from at which but have an had they you were their one all we can her has there been if more when will would who so no it its do than into only other time some could these may then them your our should what about how also',
  de: 'der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde kann wenn ihre können diese dieser müssen sollte hier unter ohne',
  fr: 'de la le et les des en un une du dans est que pour qui au par sur pas plus ne se ce il sont avec ou son aux cette ses mais comme on tout nous sa fait été aussi leur bien peut ces deux même sans entre être vous votre elle ont si dont ainsi peuvent lorsque où très faire cela vos',
  es: 'de la que el en y los del se las por un para con no una su al es lo como más pero sus le ya o fue este ha sí porque esta son entre está cuando muy sin sobre ser también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros puede si usted cada estos han así debe',
  it: 'di e il la che in a per un è del non con si le della i da una dei al sono gli nel alla più come anche ha ma lo delle se o questo dalla su nella essere stato ai due dal tra degli può loro prima dopo sul ed cui quando sia questa tutti fare molto ancora ogni senza tutto hanno anno essere possono',
  pt: 'de a o que e do da em um para com não uma os no se na por mais as dos como mas ao ele das à seu sua ou quando muito nos já eu também só pelo pela até isso ela entre depois sem mesmo aos seus quem nas esse eles você essa num nem suas às minha numa pelos elas são está foi ser tem pode sobre',
  nl: 'de van het een en in is dat op te voor met zijn die niet aan er om ook als dan maar bij of uit nog naar door over ze hij je worden wordt werd meer kan tot deze heeft hebben moet geen wat was zou u dit hun al kunnen veel zo wel andere onder na wil zonder waar hoe daar mensen zich haar uw',
  sv: 'och i att det som en på är av för med den till inte om ett han men var jag sig från vi så kan när man hade eller också efter vid har ska hans nu sin under upp över där mot alla mycket skulle hon denna dem bara utan mellan kommer finns detta vara du andra vad blir måste då',
  da: 'og i at det er en til på som med for af den der ikke de et har kan om fra han var jeg vi men så være blev eller også efter over ved sig skal vil hvis når man nu havde ind alle disse denne andre mod meget kun skulle bliver dette under deres hvor du op ud mellem uden sit være blive kunne skulle nogle noget nogen gøre hvad mig dig hver altid findes bruges bruge selv samme må kapitel derfor hvilken',
  no: 'og i det er på som en til for av at med ikke de har den et om fra han var jeg vi men så kan være ble eller også etter ved seg skal vil hvis når man nå hadde inn alle disse denne andre mot mye bare skulle blir dette under deres hvor du opp ut mellom uten må noe sin hva noen gjøre meg deg hver alltid finnes brukes bruke selv samme kapittel derfor hvilken etter fordi',
  fi: 'ja on ei se että oli hän ovat kun myös mutta tai niin kuin sen joka ole mukaan vuonna nyt jos voi sitä hänen vain jo kanssa olla sekä ne tämä mitä olisi siitä ollut koska siis jälkeen kaikki vielä tämän josta pitää tästä sitten jotka minä sinä sille tällä voidaan eivät mikä ennen aikana',
  pl: 'w i na z nie do się że o jest jak po to od za przez co dla są jego który ale tym czy był oraz tylko przy tego jako już ze ma być które może było jej ich również która bardzo można roku gdy lub jeśli tak pod przed aby więc jednak ten ta nad bez jeszcze tej należy zostać został każdy',
  cs: 'a v se na je že s z o do to ve i jako k pro za po by jsou který ale která které si tak od nebo u jeho už podle jsem být při kde není jen až má také co pod pokud však může ke přes mezi lze další tento tím bylo byla byl bude aby již této která jejich nebo ještě není',
  sk: 'a v sa na je že s z o do to vo aj ako k pre za po by sú ktorý ale ktorá ktoré si tak od alebo u jeho už podľa som byť pri kde nie len až má tiež čo pod ak však môže ku cez medzi ďalší tento tým bolo bola bol bude aby ich ešte roku možno počas všetky',
  hu: 'a az és hogy nem is egy ez van volt meg de csak már mint kell még el ki szerint vagy azt lehet ha után ezt így lesz sem amely minden több azonban mert fel itt pedig által majd nagyon olyan akkor mi ami illetve között alatt való ezek ahol hanem nélkül során először',
  ro: 'de și în a la cu pe nu o că să din este un care mai pentru au se al ce sunt fi prin dar ca ale după sau lui fost acest această fie dacă când cel cea tot poate până toate fără între unei unui le iar foarte decât trebuie acesta aceste despre doar cum astfel asupra unor',
  tr: 've bir bu da de için ile olarak çok daha olan en gibi sonra kadar ne var ama her ya o değil ki mi olduğu iki ise tarafından olduğunu göre şey bunu veya ancak hem bütün şu yeni böyle ben sadece nasıl önce eğer tüm üzerinde oldu içinde arasında gerekir olması edilir diğer',
  id: 'yang dan di dengan untuk pada ini dari dalam adalah tidak itu ke akan oleh sebagai juga atau dapat telah bisa ada karena lebih tersebut mereka sudah saya anda kami seperti secara harus sebuah bahwa belum masih hanya antara banyak jika agar tetapi setelah kepada maka lain hal saat',
  vi: 'và của là có cho các được không một với những trong người này để khi đã đến từ về như cũng ở tôi bạn nhiều trên sẽ ra vào đó sau lại phải nếu thì năm hay việc rằng hoặc theo bị bởi vì còn mà nhưng chỉ rất nên thể nó hơn nào trước đây tại',
  ca: 'de la que i el en a les els del per un és una amb no al es dels com més se però seva ha són són aquest també va si aquesta sobre o entre quan fins pot ser tot molt ho hi tots pel sense ja fer les unes seu seus on perquè durant dos cal cada aquests podeu vostre',
  hr: 'i u je se na da su za od a s o koji kao iz što bi koja ne to ili koje po nije do bio te ali samo biti prema može sve bila već ako kako mogu više nakon tako njegov između također godine kada toga pri ovaj dok zbog svoje kod jedan bez treba',
  sl: 'in je v se na da so za ki z s pa ne o po kot bi od tudi do ali še bil iz pri ter kar če bila ki več lahko kako samo ker med svoje vse biti tem tega ni po nad ko pred zaradi leta mora kjer brez sem bolj drugi',
  et: 'ja on ei et ta oli see mis ka kui oma aga selle nii või ning kes siis tema veel ole nagu seda juba välja pole peab mida kuid selles üle koos saab pärast kõik nende võib ainult enne samuti olema mitte sest',
  lv: 'un ir no ar ka uz par kas tas bet arī nav tika pēc kā to bija vai gadā pie lai jau līdz tikai šo tiek savu tā būt viņš ja pēc var vairāk kad kurā kura starp nevar pret šī citi pirms bez',
  lt: 'ir į yra kad iš su tai buvo bet kaip nuo po ar jo už apie tik jis kurie o dėl jau ne gali savo prie taip metų kai dar arba iki būti šis tarp pagal labai jie visi kuris jei reikia per prieš daugiau be',
  ru: 'и в не на что с он по как это из к но за от его о же для у было а так вы при или все был мы до бы если которые уже только их когда может она является чтобы быть также были этого можно под вас после будет этой ещё во есть между через более системы',
  uk: 'і в на що не з у та до за як це для від про або його є він але так по які які також може бути під при їх вже було був через якщо цей після між коли лише ще тому щоб якого чи більше має яка можна цього всі була роки',
  bg: 'и на да се в от за не с е са като по че това си или но при до който която как ще които него може му след така само има през те бъде беше което още към при между когато ако повече тези този тази трябва',
  sr: 'и у је се на да су за од а с о који као из што би која не то или које по није до био те али само бити према може све била већ ако како могу више након тако између такође године када тога при',
  mk: 'и на во да се од за не со е се како што или но кој која ќе кои по при може беше има само до така ги го му тоа овој оваа меѓу кога ако повеќе треба',
  be: 'і ў не на што з да як гэта для па ад яго але за быў або таксама пры яны калі можа быць якія які паміж пасля толькі было гэтага',
};

/** Ranges of code units, from and to by turns, and the language that is written in them alone; `zh` stands for Han. */
const SCRIPTS: readonly (readonly [language: string, ...ranges: number[]])[] = [
  ['ja', 0x3040, 0x30ff, 0xff66, 0xff9d],
  ['ko', 0xac00, 0xd7a3, 0x1100, 0x11ff],
  ['el', 0x0370, 0x03ff, 0x1f00, 0x1fff],
  ['th', 0x0e00, 0x0e7f],
  ['he', 0x0590, 0x05ff],
  ['ar', 0x0600, 0x06ff],
  ['hi', 0x0900, 0x097f],
  ['bn', 0x0980, 0x09ff],
  ['ta', 0x0b80, 0x0bff],
  ['te', 0x0c00, 0x0c7f],
  ['ka', 0x10a0, 0x10ff],
  ['hy', 0x0530, 0x058f],
  ['lo', 0x0e80, 0x0eff],
  ['km', 0x1780, 0x17ff],
  ['my', 0x1000, 0x109f],
  ['zh', 0x3400, 0x9fff],
];
const HAN = SCRIPTS.length - 1;

/**
 * What each code unit is, found out when it is first met: its script's number and one more in the low bits, LETTER, KNOWN.
 * A half of a pair is no letter here; pairs are asked each time.
 */
const UNITS = new Uint8Array(0x1_0000);
const SCRIPT = 0x1f;
const LETTER = 0x40;
const KNOWN = 0x80;
const isLetter = (character: string): boolean => /^\p{L}/u.test(character);

function learn(unit: number): number {
  const script = SCRIPTS.findIndex(([, ...ranges]) => {
    for (let r = 0; r < ranges.length; r += 2) if (unit >= ranges[r]! && unit <= ranges[r + 1]!) return true;
    return false;
  });
  return (UNITS[unit] = KNOWN | (isLetter(String.fromCharCode(unit)) ? LETTER : 0) | (script + 1));
}

/** As UNITS has it, of the character at `at`: that of a pair has LETTER alone. */
function characterAt(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if ((unit & 0xfc00) === 0xd800 && at + 1 < text.length) {
    const code = text.codePointAt(at)!;
    if (code > 0xffff) return isLetter(String.fromCodePoint(code)) ? PAIR | LETTER : PAIR;
  }
  return UNITS[unit]! || learn(unit);
}
const PAIR = 0x100;

/** Languages in the order of their names, so that of two alike the first one wins. */
const LANGUAGES = Object.keys(WORDS).sort();

/**
 * Words by a hash of their code units, so that a word of a page is looked up where it stands and no string is made of it.
 * In flat arrays: a thread has a table of its own. Memory: 130 kB.
 */
class WordTable {
  readonly #slots = new Int16Array(SLOTS).fill(-1);
  readonly #hashes: Int32Array;
  /** Of all words, one after the other; where each begins, and after the last. */
  readonly units: Uint16Array;
  readonly starts: Uint16Array;
  /** The same of the languages that have it: it tells less, the more they are. */
  readonly languages: Uint8Array;
  readonly firsts: Uint16Array;

  constructor() {
    const table = new Map<string, number[]>();
    for (const [number, language] of LANGUAGES.entries())
      for (const word of new Set(WORDS[language]!.split(' '))) table.set(word, [...(table.get(word) ?? []), number]);
    const words = [...table.keys()];
    const languages = [...table.values()];
    this.units = Uint16Array.from(words.join(''), unitOf);
    this.starts = startsOf(words);
    this.languages = Uint8Array.from(languages.flat());
    this.firsts = startsOf(languages);
    this.#hashes = Int32Array.from(words, (word) => Array.from(word, unitOf).reduce(hashStep, 0));
    if (new Set(this.#hashes).size < words.length) throw new Error('two words share a hash');
    for (const [word, hash] of this.#hashes.entries()) {
      let slot = place(hash);
      while (this.#slots[slot]! >= 0) slot = next(slot);
      this.#slots[slot] = word;
    }
  }

  /** The word that has this hash, if it is so long; its units are to be compared. -1: none. */
  find(hash: number, length: number): number {
    const slots = this.#slots;
    for (let slot = place(hash); ; slot = next(slot)) {
      const word = slots[slot]!;
      if (word < 0) return -1;
      if (this.#hashes[word] === hash) return this.starts[word + 1]! - this.starts[word]! === length ? word : -1;
    }
  }
}

/** Four times the words. */
const SLOTS = 1 << 14;
const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);
const place = (hash: number): number => (hash ^ (hash >>> 14)) & (SLOTS - 1);
const next = (slot: number): number => (slot + 1) & (SLOTS - 1);
/** Words are of the Basic Multilingual Plane, a unit a character. */
const unitOf = (character: string): number => character.charCodeAt(0);
function startsOf(lists: readonly { readonly length: number }[]): Uint16Array {
  const starts = new Uint16Array(lists.length + 1);
  for (const [i, { length }] of lists.entries()) starts[i + 1] = starts[i]! + length;
  return starts;
}
const TABLE = new WordTable();

/** Characters of a text that are looked at. */
const SAMPLE = 2000;
/** Words below which nothing is told; share of them that must tell; how far the best must be ahead of the next. */
const MIN_WORDS = 8;
const MIN_SHARE = 0.12;
const MIN_LEAD = 1.15;
/** Words that tell, below which the lead must be larger. */
const FEW = 12;
const LEAD_OF_FEW = 1.4;

/** Which part of a text of so many characters is looked at: its middle; of one that is itself no longer, all. */
function sampled(length: number): readonly [from: number, to: number] {
  const from = length > 3 * SAMPLE ? (length - SAMPLE) >> 1 : 0;
  return [from, Math.min(length, from + SAMPLE)];
}

const inScript = new Uint32Array(SCRIPTS.length + 1);
const scores = new Float64Array(LANGUAGES.length);

/** BCP 47, or '' when it cannot be told. Cost: some ten microseconds. */
export function guessLanguage(text: string): string {
  const [from, to] = sampled(text.length);
  const sample = text.slice(from, to).toLowerCase();
  inScript.fill(0);
  scores.fill(0);
  let letters = 0;
  let words = 0;
  let told = 0;
  let start = -1;
  let hash = 0;
  for (let at = 0; at <= sample.length; at++) {
    const is = at < sample.length ? characterAt(sample, at) : 0;
    if ((is & SCRIPT) !== 0) inScript[is & SCRIPT]!++;
    if ((is & LETTER) !== 0) {
      letters++;
      if (start < 0) {
        start = at;
        hash = 0;
      }
      hash = hashStep(hash, sample.charCodeAt(at));
    } else if (start >= 0) {
      words++;
      const word = TABLE.find(hash, at - start);
      if (word >= 0 && isWord(word, sample, start)) {
        told++;
        count(word);
      }
      start = -1;
    }
    if ((is & PAIR) !== 0) at++;
  }
  if (letters < 10) return '';
  return byScript(letters, sample) || byWords(words, told);
}

function isWord(word: number, sample: string, from: number): boolean {
  const { units, starts } = TABLE;
  const end = starts[word + 1]!;
  for (let i = starts[word]!, at = from; i < end; i++, at++) if (units[i] !== sample.charCodeAt(at)) return false;
  return true;
}

/** The same of a text that is ASCII, from its bytes. Cost: half. */
export function guessLanguageOfAscii(text: Uint8Array): string {
  const [from, to] = sampled(text.length);
  scores.fill(0);
  let letters = 0;
  let words = 0;
  let told = 0;
  let length = 0;
  let hash = 0;
  for (let at = from; at <= to; at++) {
    const letter = at < to ? FOLDED[text[at]!]! : 0;
    if (letter !== 0) {
      hash = hashStep(hash, letter);
      length++;
    } else if (length > 0) {
      letters += length;
      words++;
      const word = TABLE.find(hash, length);
      if (word >= 0 && isAsciiWord(word, text, at - length)) {
        told++;
        count(word);
      }
      length = hash = 0;
    }
  }
  return letters < 10 ? '' : byWords(words, told);
}
/** Letters of ASCII in lower case; 0 for all else. */
const FOLDED = new Uint8Array(256);
for (let c = 97; c <= 122; c++) FOLDED[c] = FOLDED[c - 32] = c;

function isAsciiWord(word: number, text: Uint8Array, from: number): boolean {
  const { units, starts } = TABLE;
  const end = starts[word + 1]!;
  for (let i = starts[word]!, at = from; i < end; i++, at++) if (units[i] !== FOLDED[text[at]!]) return false;
  return true;
}

function count(word: number): void {
  const { languages, firsts } = TABLE;
  const first = firsts[word]!;
  const end = firsts[word + 1]!;
  for (let l = first; l < end; l++) scores[languages[l]!]! += 1 / (end - first);
}

/** The language that is told by the script; '' for scripts of many. */
function byScript(letters: number, sample: string): string {
  const han = inScript[HAN + 1]!;
  for (let script = 0; script < HAN; script++) {
    const language = SCRIPTS[script]![0];
    const share = inScript[script + 1]! / letters;
    // Japanese is half Han; Korean and Chinese pages quote Latin words.
    if (share > 0.3 || (language === 'ja' && share > 0.05 && han + share * letters > 0.3 * letters)) {
      if (language === 'ar' && /[پچژگ]/.test(sample)) return /[ٹڈڑے]/.test(sample) ? 'ur' : 'fa';
      return language;
    }
  }
  return han > 0.3 * letters ? 'zh' : '';
}

function byWords(words: number, told: number): string {
  if (words < MIN_WORDS || told === 0 || told < words * MIN_SHARE) return '';
  let best = 0;
  for (let l = 1; l < scores.length; l++) if (scores[l]! > scores[best]!) best = l;
  let next = 0;
  for (let l = 0; l < scores.length; l++) if (l !== best && scores[l]! > next) next = scores[l]!;
  return scores[best]! >= next * (told < FEW ? LEAD_OF_FEW : MIN_LEAD) ? LANGUAGES[best]! : '';
}
