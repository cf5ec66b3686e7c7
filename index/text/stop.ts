/**
 * Small words, by language. They are indexed like all others; a query of several plain words does not ask for them where
 * others are left (`the monte viso`), and a phrase always does (`"to be or not to be"`).
 *
 * Short on purpose: what is missing costs a little time, what is wrongly here costs hits. English is the list that Lucene
 * and Nutch share, with the question words of people who ask in sentences.
 */
const lists: Record<string, string> = {
  en: 'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with what which who how when where why do does did can i you we he she from has have had were been being its am about than so',
  de: 'aber als am an auch auf aus bei bin bis bist da das dass dem den der des die dies diese dieser dieses doch du durch ein eine einem einen einer eines er es fur hat hatte ich ihr im in ist ja kann mit nach nicht noch nur oder ohne sein seine sie sind so uber um und uns unter vom von vor war was wenn wer wie wird wir wo zu zum zur',
  fr: 'a au aux avec c ce ces d dans de des du elle en est et eux il ils j je l la le les leur lui m ma mais me meme mes moi mon n ne nos notre nous on ou par pas pour qu que qui s sa se ses son sont sur t ta te tes toi ton tu un une vos votre vous y',
  es: 'a al como con de del el ella ellos en entre era es esta este esto fue ha hasta la las le les lo los mas me mi muy no nos o para pero por que se sin sobre son su sus te tu un una uno y ya',
  it: 'a ad ai al alla alle anche che chi ci come con da dal dalla dei del della delle di e ed gli ha i il in io la le lo ma mi ne nei nel nella non o per piu qual quale se si sono su sul sulla tra un una uno',
  pt: 'a ao aos as com como da das de do dos e ela ele em entre era essa esse esta este eu foi ha isso isto ja mais mas me meu na nas no nos nao o os ou para pela pelo por que se sem ser seu sua sao tem um uma',
  nl: 'aan als bij dan dat de der des deze die dit door een en er haar heb het hij hoe ik in is je kan maar me met mijn naar niet nog nu of om onder ook op over te tot uit van voor was wat wel werd wie wij wordt ze zich zij zijn zo',
  sv: 'alla att av de dem den det denna dessa dig du efter eller en ett fran for ha han har hon i icke inte jag kan med men mig min mot nar nu och om pa sa sig sin som till ut var vi vid at',
  da: 'af alle at blev da de dem den denne der deres det dig din du efter eller en end er et for fra han har hun hvad i ikke jeg kan med men mig min nar nu og om op pa sa sig sin skal som til ud var vi',
  no: 'alle at av da de den denne der det du eller en er et for fra ha han har hun hva i ikke jeg kan med men meg min nar na og om opp pa sa seg sin skal som til ut var vi',
  fi: 'ei eivat en et ja jos kun mika mina mutta ne niin nyt oli on ovat se sen siina tai tama tassa vain voi kuin han',
  ru: 'а без бы в во вот все вы да для до его ее если есть же за и из или им их к как ко ли мы на не но ну о об он она они от по при с со так то ты у что это я',
};

const sets = new Map<string, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** The folded small words of a language (BCP 47); none are known for most. */
export function stopWords(lang: string): ReadonlySet<string> {
  const base = lang.toLowerCase().split(/[-_]/)[0]!;
  const key = base === 'nb' || base === 'nn' ? 'no' : base;
  if (!Object.hasOwn(lists, key)) return none;
  let set = sets.get(key);
  if (!set) sets.set(key, (set = new Set(lists[key]!.split(' '))));
  return set;
}
