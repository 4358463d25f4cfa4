// Splits a question into parts that are answered separately, each with the kind of answer it asks for and the words that an
// answer should be about. It knows no evidence. Only English is split; in any other language a question is one part.

import { isLightWord, isStopWord, type Term, termsOf } from "./terms.ts";

export type AnswerType =
  | "money"
  | "count"
  | "duration"
  | "frequency"
  | "date"
  | "time"
  | "contact"
  | "version"
  | "person"
  | "place"
  | "reason"
  | "procedure"
  | "definition"
  | "statement";

export interface QuestionTerm extends Term {
  /** Importance for the part before evidence is known, 0 to 1. */
  weight: number;
}

export interface QuestionPart {
  /** As it was asked, without the conjunction before it. */
  text: string;
  /** What is compared with evidence: the part with what it inherits from the parts before it. */
  search: string;
  type: AnswerType;
  isYesNo: boolean;
  /** Whether it asks for all things of a sort, as `which error codes are there?` does. */
  wantsAll: boolean;
  /** Stems of the thing asked for, `director` in `who is the director of …`; empty if the question names none. */
  asked: string[];
  /** Words of this part itself. */
  terms: QuestionTerm[];
  /** Words of earlier parts and of the sentences around the question. */
  inherited: QuestionTerm[];
}

export interface Question {
  text: string;
  parts: QuestionPart[];
}

/** Further parts are joined to the last one. */
const MAX_PARTS = 6;
const AUXILIARY =
  "is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't";
const WH = "who|whom|whose|what|which|when|where|why|how";
const PREPOSITION = "at|by|for|from|in|into|of|on|to|under|until|up to|since|with|within|after|before";
const BEGINS_PART = `(?:(?:${PREPOSITION})\\s+)?(?:${WH})\\b|(?:${AUXILIARY})\\s+(?:i|we|you|he|she|it|they|there|the|a|an|my|our|your|his|her|its|their|this|that|these|those|any|all|one|\\p{Lu}\\p{L}*)\\b|(?:tell|show|give|explain|describe|list|name)\\s+`;
const JOINT = new RegExp(
  `(?:\\s*[,;:–—]\\s*(?:and|but|also|then|or)?\\s*|\\s+(?:and|but|as well as|plus)\\s+(?:also\\s+|then\\s+)?)(?=(?:${BEGINS_PART}))`,
  "iu",
);
const ASKS = new RegExp(`^(?:and |but |so |also |then |or )?(?:${BEGINS_PART})|\\?\\s*$`, "iu");
const PRONOUN =
  /\b(?:it|its|it's|they|them|their|he|him|his|she|her|one|ones|this|that|these|those|there|then|so|each|same)\b/i;

/** Splits a question; there is always at least one part. */
export function parseQuestion(text: string): Question {
  const whole = text.replace(/\s+/g, " ").trim();
  const sentences = whole
    .match(/.+?(?:[?!]+(?=\s|$)|\.(?=\s+\p{Lu})|$)\s*/gu)
    ?.map((one) => one.trim())
    .filter(Boolean) ?? [whole];
  const asking = sentences.filter((one) => ASKS.test(one));
  const around = asking.length > 0 ? sentences.filter((one) => !ASKS.test(one)).join(" ") : "";
  const pieces = (asking.length > 0 ? asking : sentences).flatMap(splitSentence);
  if (pieces.length > MAX_PARTS)
    pieces.splice(MAX_PARTS - 1, Infinity, pieces.slice(MAX_PARTS - 1).join(" and "));

  const parts: QuestionPart[] = [];
  let known = weighed(around);
  for (const piece of pieces) {
    const terms = weighed(piece);
    const own = terms.filter(({ weight }) => weight >= 1);
    // A part with a pronoun, or with hardly any words of its own, is about the topic of the parts before it.
    const isFollowUp =
      PRONOUN.test(piece) || own.length < 2 || (parts.length > 0 && !own.some(({ isExact }) => isExact));
    if (
      (own.length === 0 || /^(?:and |so )?what (?:now|next|then|should i do|do i do)\W*$/i.test(piece)) &&
      around !== "" &&
      parts.length === 0
    ) {
      parts.push(partOf(whole, whole, { terms: weighed(whole), inherited: [] }));
      known = [];
      continue;
    }
    const inherited = isFollowUp || around !== "" ? inheritable(known, terms) : [];
    const search =
      inherited.length > 0 ? `${parts.length > 0 ? topicOf(inherited) : around} ${piece}` : piece;
    parts.push(partOf(piece, search.trim(), { terms, inherited }));
    known = mergeTerms([...known, ...terms]);
  }
  return { text: whole, parts };
}

function partOf(
  text: string,
  search: string,
  { terms, inherited }: Pick<QuestionPart, "terms" | "inherited">,
): QuestionPart {
  const type = answerType(text);
  const isYesNo = new RegExp(`^(?:${AUXILIARY})\\b`, "i").test(text);
  return {
    text: text.replace(/[\s?!.,;:]+$/, ""),
    search,
    type,
    isYesNo,
    wantsAll: WANTS_ALL.test(text),
    asked: type === "procedure" ? [] : askedIn(text),
    terms: terms.map((term) =>
      EXPRESSED_OTHERWISE[type]?.test(term.word) ? { ...term, weight: 0.35 } : term,
    ),
    inherited,
  };
}

const WANTS_ALL =
  /^(?:which|what) (?:[\p{L}-]+ ){0,2}[\p{L}-]{2,}s (?:are|do|can|have|were|must|should)\b|^what are (?:the |all |your |its )|^(?:list|name|enumerate)\b|\ball (?:the |of the )?[\p{L}-]+s\b|\bsteps\b|\bingredients\b/iu;
/** Words that an answer need not contain: a command is shown, a cause may be expressed by `after`. */
const EXPRESSED_OTHERWISE: Partial<Record<AnswerType, RegExp>> = {
  procedure:
    /^(?:commands?|code|sql|steps?|query|flags?|options?|calls?|settings?|procedure|statement|snippet)$/i,
  count: /^(?:max|maximum|min|minimum|highest|lowest|largest|smallest|most|least|number|total)$/i,
  reason: /^(?:caused?|reasons?|led|made|brought)$/i,
};

const ARTICLE = "(?:the |its |their |his |her |your |our |an? |any )?";
const NOUNS = "((?:[\\p{L}\\d-]+ ){0,3}?[\\p{L}\\d-]+)";
const ASKED = [
  `^how \\p{L}+(?: is| was| are| were) ${ARTICLE}${NOUNS}(?: (?:${PREPOSITION})\\b|$)`,
  `^(?!(?:${WH}|${AUXILIARY}|${PREPOSITION})\\b)${NOUNS} (?:at|for|from|in|of|on|to)\\b`,
  `^how many ((?:[\\p{L}\\d-]+ ){0,3}?(?:[\\p{L}-]{2,}s|people|persons|men|women|children|staff))\\b`,
  `^(?:(?:${PREPOSITION}) )?(?:what|which|who)(?: is| was| are| were|['’]s) ${ARTICLE}${NOUNS} (?:${PREPOSITION}|between|inside|behind|there)\\b`,
  `^who(?: is| was| are| were|['’]s) ${ARTICLE}${NOUNS}$`,
  `^who (?!(?:${AUXILIARY})\\b)([\\p{L}]+)\\b`,
  `^(?:(?:${PREPOSITION}) )?(?:what|which|how many|how much) (?!(?:${AUXILIARY})\\b)${NOUNS} (?:(?:${AUXILIARY})\\b|[\\p{L}]+s\\b|to\\b|there\\b)`,
  `^(?:do|does|did|is|are|has|have)\\b.*?\\b(?:have|has|offer|offers|support|provide|there|include|contain|accept|come with) ${ARTICLE}(.+?)(?: (?:${PREPOSITION}) .+)?$`,
].map((pattern) => new RegExp(pattern, "iu"));

/** What a part asks for by name. */
function askedIn(text: string): string[] {
  for (const pattern of ASKED) {
    const named = pattern.exec(text.replace(/[\s?!.]+$/, ""))?.[1];
    if (named === undefined) continue;
    const words = termsOf(named);
    // The thing counted may be a light word such as `calls`; elsewhere such a word names nothing.
    const counted = /^how many\b/i.test(text) ? words.at(-1) : undefined;
    return words
      .filter((term) => term === counted || (!isLightWord(term.word) && !isStopWord(term.word)))
      .map((term) => term.stem);
  }
  return [];
}

const COMPARES =
  /\bdifferences?\b(?: in ([\p{L}-]+(?: [\p{L}-]+)?))? between (?:the )?(.+?) and (?:the )?(.+?)((?: for| in| on| when| at) .+?)?\W*$/iu;

/** `What is A and how is B`, `when and where`, `the N and the M of X`: one part each. */
function splitSentence(sentence: string): string[] {
  const joined = /^(\w+) and (?:by |for |to )?(who|whom|when|where|why|how|what)\b(.*)$/i.exec(sentence);
  if (joined && new RegExp(`^(?:${WH})$`, "i").test(joined[1]!)) {
    return [`${joined[1]}${joined[3]}`, `${joined[2]}${joined[3]}`];
  }
  const compared = COMPARES.exec(sentence);
  if (compared) {
    const [, attribute, first, second, about = ""] = compared;
    const what = attribute === undefined ? "what is" : `what is the ${attribute} of`;
    return [`${what} ${first}${about}`, `${what} ${second}${about}`];
  }
  const pieces: string[] = [];
  let rest = sentence;
  for (let match = JOINT.exec(rest); match; match = JOINT.exec(rest)) {
    const before = rest.slice(0, match.index);
    const after = rest.slice(match.index + match[0].length);
    // `If …, how long …` and `When …, what …` are one part; so is what follows a colon or a dash.
    if (
      termsOf(before).length === 0 ||
      (/[:–—]/.test(match[0]) && !ASKS.test(before)) ||
      (/^(?:if|when|while|after|before|once|in case|given|suppose|on|in|for|with|under|at|during|according)\b/i.test(
        before,
      ) &&
        !/\b(?:and|but)\b/i.test(match[0]))
    ) {
      const next = splitSentence(after);
      return [...pieces, `${before}, ${next[0]}`, ...next.slice(1)];
    }
    pieces.push(before);
    rest = after;
  }
  return [...pieces, rest].flatMap(splitNouns);
}

/** `What are the N and the M of X?` asks two things. */
function splitNouns(piece: string): string[] {
  const match =
    /^((?:what|which)(?: is| are| was| were|'s)|how (?:much|many|big|long|heavy|high|deep|wide)(?: is| are)?|(?:tell me|give me|list|name|show me)) ((?:the |its |their |his |her )[\p{L}-]+(?: [\p{L}-]+){0,2}?) and ((?:the |its |their |his |her )?[\p{L}-]+(?: [\p{L}-]+){0,2}?) ((?:of|for|in|on|at) .+?)$/iu.exec(
      piece,
    );
  if (!match) return [piece];
  const [, ask, first, second, about] = match;
  return [`${ask} ${first} ${about}`, `${ask} ${second} ${about}`];
}

/** The words of a text with their weights. */
function weighed(text: string): QuestionTerm[] {
  return mergeTerms(
    termsOf(text.replace(EXAMPLE, " "))
      .filter(({ word, isExact }) => isExact || !isStopWord(word))
      .map((term) => ({ ...term, weight: term.isExact ? 1 : isLightWord(term.word) ? 0.35 : 1 })),
  );
}

/** Examples in a question need not occur in the answer. */
const EXAMPLE = /\b(?:for example|for instance|e\.g\.|such as|say,)\s+[^,;.?]+/gi;

function mergeTerms(terms: QuestionTerm[]): QuestionTerm[] {
  const byStem = new Map<string, QuestionTerm>();
  for (const term of terms) {
    const known = byStem.get(term.stem);
    if (!known || known.weight < term.weight) byStem.set(term.stem, term);
  }
  return [...byStem.values()];
}

/** What a part inherits: no words of its own, and no year, version or code if it has one of its own. */
function inheritable(known: QuestionTerm[], own: QuestionTerm[]): QuestionTerm[] {
  const stems = new Set(own.map(({ stem }) => stem));
  const hasNumber = own.some(({ word, isExact }) => isExact && /\d/.test(word));
  return known.filter(
    ({ stem, word, isExact }) => !stems.has(stem) && !(hasNumber && isExact && /\d/.test(word)),
  );
}

/** The names among the terms, or all of them if there are none. */
function topicOf(terms: QuestionTerm[]): string {
  const names = terms.filter(({ isExact }) => isExact);
  return (names.length > 0 ? names : terms).map(({ word }) => word).join(" ");
}

const TYPES: [AnswerType, RegExp][] = [
  ["count", /\bhow much of\b/i],
  ["frequency", /\bhow (?:often|frequently|regularly)\b|\bat what intervals?\b/i],
  [
    "duration",
    /\bhow far (?:in advance|ahead|back)\b|\bhow (?:long|soon|quickly|fast)\b(?! is the| are the)|\b(?:how many|number of) (?:\w+ )?(?:seconds|minutes|hours|days|weeks|months|years)\b|\bwhat (?:duration|period)\b/i,
  ],
  [
    "money",
    /\b(?:price|prices|priced|cost|costs|fee|fees|fare|fares|salary|wage|charge|charges|penalty|fine|prize money|budget|expensive|turnover|revenue)\b|\b(?:what|which) (?:sum|amount of money)\b|\bhow much (?:money|do(?:es)? .* (?:pay|charge|owe|earn))/i,
  ],
  [
    "contact",
    /\b(?:phone|telephone|mobile|fax|extension) numbers?\b|\be-?mail\b|\b(?:web ?site|home ?page|url)\b|\b(?:postal|street) address\b/i,
  ],
  ["time", /\b(?:what|which) time\b|\bwhen (?:do|does|did|is|are|will)\b.*\b(?:open|close|shut)s?\b/i],
  [
    "date",
    /\b(?:what|which|in which|in what) (?:year|date|day|month)\b|\bwhen (?:was|were|did|is|are|does|do|will|has|had)\b|\b(?:since|until|till|by) when\b|\b(?:date|deadline) (?:of|for)\b/i,
  ],
  ["version", /\b(?:which|what)(?: \w+)? (?:version|release|firmware)\b|\bversion number\b/i],
  [
    "count",
    /\bweighs?\b|\bhow (?:many|much|high|low|large|big|deep|heavy|wide|tall|far|hot|cold|strong|thick|accurate|old|small|loud)\b|\b(?:what|which)(?: is| was)?(?: the| its)? (?:[\p{L}-]+ )?(?:percentage|proportion|share|fraction|temperature|weight|size|length|height|width|depth|diameter|distance|speed|rate|limit|maximum|minimum|port|torque|voltage|range|capacity|accuracy|age|voltage|radius)\b|\b(?:maximum|minimum|max|min|largest|smallest|highest|lowest) (?:number|size|length|rows?|rate)\b/iu,
  ],
  ["person", /\b(?:who|whom|whose)\b/i],
  ["place", /\bwhere\b|\b(?:which|what) (?:city|town|country|room|building|place|shelf|folder|directory)\b/i],
  ["reason", /\bwhy\b|\b(?:for )?what reasons?\b|\bwhat (?:caused|led to|made)\b|\bhow come\b/i],
  [
    "procedure",
    /\bhow (?:do|can|should|could|must|would|might)\b (?:i|we|you|one|they|someone|an?|the)\b|\bhow to\b|\bhow is .* (?:done|installed|replaced|reset|configured|set)\b|\b(?:which|what) (?:command|steps?|code|sql|query|flag|option|call|setting|procedure)\b|\bcommands? (?:to|for|that)\b|\bsteps (?:to|for)\b|\binstructions (?:to|for)\b/i,
  ],
  [
    "definition",
    /\bwhat (?:does|do) .+ (?:mean|stand for)\b|\b(?:define|definition of|meaning of|what is meant by)\b|^what(?:'s| is| are) (?:an? |the )?[\p{L}-]+(?: [\p{L}-]+)?\??$/iu,
  ],
];

/** `Does it pay people who …` is a yes/no question and does not ask for a person. */
const ASKS_WHETHER = new RegExp(
  `^(?:${AUXILIARY})\\b(?!.{0,25}\\b(?:tell|say|know|explain|show|give|describe|remember)\\b)`,
  "i",
);
/** Questions without a topic of their own: the sentences around them contain it. */
const ASKS_NOTHING_NEW =
  /^(?:and |so )?what(?:'s| is| was) (?:the matter|wrong|going on|the problem|up|this|that|it)\W*$/i;

function answerType(text: string): AnswerType {
  if (ASKS_WHETHER.test(text) || ASKS_NOTHING_NEW.test(text)) return "statement";
  return TYPES.find(([, pattern]) => pattern.test(text))?.[0] ?? "statement";
}
