import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ParsedPage } from '../../../src/page/parsed.ts';
import { guessLanguage, guessLanguageOfAscii } from '../../../src/parse/guess-language.ts';
import { languageTag } from '../../../src/parse/language.ts';
import { parsePage } from '../../../src/parse/page.ts';
import { fixturePages } from './kit/fixtures.ts';

const Language = suite('language');
const page = (html: string | Uint8Array): ParsedPage =>
  parsePage({ url: 'http://h/', contentType: 'text/html', body: Buffer.from(html as string) }) as ParsedPage;

const guide = [...fixturePages(['fixtures/debian-docs'])].filter(({ name }) => name.includes('install-guide'));
if (guide.length === 0) console.log('skipped: languages of the installation guide');
else
  Language('paragraphs in 19 languages: 95 % right, none wrong, the rest left open', () => {
    let [all, right] = [0, 0];
    const wrong: string[] = [];
    for (const { name, body } of guide) {
      const expected = name.split('/')[2]!.slice(0, 2);
      for (const paragraph of page(body).visible.split('\n')) {
        if (paragraph.length < 100) continue;
        all++;
        const guess = guessLanguage(paragraph.slice(0, 400));
        if (guess === expected) right++;
        else if (guess !== '') wrong.push(`${expected} taken for ${guess}: ${paragraph.slice(0, 80)}`);
      }
    }
    assert.equal(wrong, []);
    assert.ok(right >= all * 0.95, `${right} of ${all}`);
  });

const SAMPLES: Readonly<Record<string, string>> = {
  en: 'The quick brown fox jumps over the lazy dog and then it is not seen for a week.',
  de: 'Der schnelle braune Fuchs springt über den faulen Hund und wird nicht mehr gesehen.',
  no: 'Dette er ikke en lang tekst, men den har noen av de ordene som man trenger for å se hva det er.',
  uk: 'Це не дуже довгий текст, але він має слова, які потрібні, щоб його можна було впізнати.',
  pl: 'To nie jest długi tekst, ale ma on te słowa, które są potrzebne, żeby go rozpoznać.',
  ja: 'これは日本語の短い文章です。検索エンジンで見つかるはずです。',
  zh: '这是一个简短的中文文本，用来测试语言识别功能。',
  ko: '이것은 언어 감지를 시험하기 위한 짧은 한국어 문장입니다.',
  th: 'นี่คือข้อความภาษาไทยสั้น ๆ สำหรับทดสอบ',
  ar: 'هذا نص عربي قصير لاختبار التعرف على اللغة',
  fa: 'این یک متن کوتاه فارسی برای آزمایش است که چند کلمه دارد',
  he: 'זהו טקסט קצר בעברית לבדיקת זיהוי השפה',
  el: 'Αυτό είναι ένα σύντομο ελληνικό κείμενο',
  '': 'function foo(bar) { return bar + 1; } npm install nuthatch --save-dev',
};
for (const [language, text] of Object.entries(SAMPLES))
  Language(`"${text.slice(0, 30)}" is ${language || 'in no language that can be told'}`, () => {
    assert.is(guessLanguage(text), language);
    const ascii = text.replace(/[^\x00-\x7f]/g, '').repeat(30);
    assert.is(guessLanguageOfAscii(Buffer.from(ascii)), guessLanguage(ascii), ascii);
  });
Language('what a page says of itself comes first; tags are tidied', () => {
  assert.is(page(`<html lang="fr"><p>${SAMPLES.en}`).lang, 'fr');
  assert.is(page(`<p>${SAMPLES.en}`).lang, 'en');
  assert.equal(['DE_at', 'en-US, fr', 'und', '{{lang}}', ' pt-BR '].map(languageTag), [
    'de-at',
    'en-us',
    '',
    '',
    'pt-br',
  ]);
});
Language.run();
