// What questions ask for: one row per type with what asks for it, which values or words of a text satisfy it, and examples
// that a test asks. The first matching row counts. It knows no evidence.

import type { Value } from "./values.ts";

/** How a question is answered: by one statement, by a whole list or code block, or by all items of a list. */
type Form = "statement" | "procedure" | "all";

export interface QuestionType {
  name: string;
  asks: RegExp;
  /** Sorts of values of which an answer contains one; see Value. */
  values?: readonly string[];
  /** Words of which an answer contains one, also without such a value. */
  says?: RegExp;
  form?: Form;
  /** Words of the question that an answer need not contain, because they only name what is asked for. */
  implied?: RegExp;
  examples: readonly string[];
}

const AMOUNTS = [
  "number",
  "percent",
  "mass",
  "length",
  "area",
  "volume",
  "data",
  "temperature",
  "electric",
  "frequency",
  "pressure",
  "force",
  "sound",
  "speed",
];
const measure = (
  name: string,
  words: string,
  rest: Omit<QuestionType, "name" | "asks" | "implied">,
): QuestionType => ({
  name,
  asks: new RegExp(
    `\\bhow (?:${words})\\b|\\b(?:${words})\\b(?= (?:of|for|in|on|is|are|do|does|can|may|must|should|has)\\b)|\\b(?:what|which)(?: is| are)? (?:the |its )?(?:[\\p{L}-]+ ){0,2}(?:${words})\\b`,
    "iu",
  ),
  implied: new RegExp(`^(?:${words})s?$`, "i"),
  ...rest,
});

/** The types, most specific first. @testOnly */
export const QUESTION_TYPES: readonly QuestionType[] = [
  {
    name: "frequency",
    asks: /\bhow (?:often|frequently|regularly|many times)\b|\bat what intervals?\b/i,
    says: /\b(?:every|per|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|nightly|hourly|once|twice|times (?:a|per)|always|never|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i,
    examples: ["How often is it cleaned?", "At what intervals are the filters changed?"],
  },
  {
    name: "duration",
    asks: /\bhow (?:long|soon|quickly|fast|far (?:in advance|ahead|back))\b(?! (?:is|are) the\b)|\b(?:how many|number of) (?:\w+ )?(?:seconds|minutes|hours|days|nights|weeks|months|years)\b|\b(?:what|which) (?:is the )?(?:\w+ )?(?:duration|notice period|period|time ?limit|deadline|timeout)\b/i,
    values: ["duration", "date"],
    says: /\b(?:immediately|at once|straight away|instantly|permanently|forever|until|overnight|same day|next day|(?:mon|tues|wednes|thurs|fri|satur|sun)day|first|end of)\b/i,
    implied:
      /^(?:duration|period|time|limit|deadline|timeout|days?|hours?|weeks?|months?|years?|minutes?|seconds?)$/i,
    examples: [
      "How long does it last?",
      "Within how many days must I object?",
      "How far in advance can it be booked?",
    ],
  },
  {
    name: "money",
    asks: /\b(?:price|prices|priced|costs?|fees?|fares?|salary|wages?|charges?|charged|penalty|fine|deposit|budget|expensive|turnover|revenue|rent)\b(?=.*\?|$)(?=.*)(?<=\b(?:how|what|which|much)\b.*)|\bhow much (?:money\b|.*\b(?:pay|paid|charge|owe|earn|cost|spend|get back|reimbursed?)\b)/i,
    values: ["money"],
    says: /\b(?:free|no charge|no fee|nothing|gratis|included|at no cost|\d+[.,]\d\d)\b/i,
    implied: /^(?:costs?|prices?|much|money|amount|expensive|pay|fees?|charged?)$/i,
    examples: ["How much does it cost?", "What is the fee for a visitor?", "How much do I have to pay?"],
  },
  {
    name: "contact",
    asks: /\b(?:phone|telephone|mobile|fax|extension) numbers?\b|\be-?mail\b(?= address)|\b(?:what|which)(?: is| are)? (?:the |your |its )?(?:\w+ )?(?:web ?site|url|address)\b|\b(?:what|which) number\b.*\b(?:call|dial|ring|phone)|\bwho(?:m)? (?:do|should|can|must|to) (?:i |we |you |one )?(?:call|ring|phone|contact|write)\b/i,
    says: /\S@\S+\.\S|https?:\/\/|\bwww\.|(?:\+|\b)\d[\d ()/.-]{4,}\d\b|\bextension \d|\b(?:call|ring|phone|dial|contact|write to)\b/i,
    examples: ["What is the phone number of Ann?", "Which number do I dial?", "Who do I call at night?"],
  },
  {
    name: "time",
    asks: /\b(?:what|which) time\b|\bwhen (?:do|does|is|are|will)\b.*\b(?:opens?|close[sd]?|shuts?|start)\b|\bopening hours\b|\b(?:until|till|by|from) when\b/i,
    values: ["time", "duration", "date"],
    says: /\b(?:sunrise|sunset|always|never|closed|around the clock|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|evening|o'clock)\b/i,
    implied: /^(?:times?|hours)$/i,
    examples: ["At what time does it close?", "When does the office open?"],
  },
  {
    name: "when",
    asks: /^(?:(?!\b(?:what|which|how|why|who)\b).)*\bwhen\b|\b(?:what|which|in which|in what) (?:year|date|day|month|weekday)\b|\b(?:date|deadline) (?:of|for)\b/i,
    values: ["date", "year", "time", "duration"],
    says: /\b(?:when|once|until|after|before|as soon as|then|if|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|weeks?|ago|yesterday|immediately)\b/i,
    implied: /^(?:date|day|year|month|deadline|ready|finished|done|over|due)$/i,
    examples: ["When was it built?", "In which year did it open?", "When is the dough ready?"],
  },
  {
    name: "version",
    asks: /\b(?:which|what)(?: \w+)? (?:version|release|firmware)\b|\bversion number\b/i,
    values: ["version", "number", "code"],
    implied: /^(?:version|release)$/i,
    examples: ["Which version is it?"],
  },
  measure("weight", "heavy|weight|weigh|weighs|mass", {
    values: ["mass"],
    examples: ["How heavy is the crane?"],
  }),
  measure(
    "length",
    "long is|tall|high|height|deep|depth|wide|width|thick|thickness|far|distance|length|diameter",
    {
      values: ["length", "number", "duration", "percent", "money"],
      examples: ["How deep is the pond?", "What is the height of the mast?"],
    },
  ),
  measure("size", "large|big|size|memory|ram|storage|disk space|capacity|space", {
    values: ["data", "length", "area", "volume", "mass", "number"],
    examples: ["How large may a file be?", "How much memory does it need?"],
  }),
  measure("temperature", "hot|warm|cold|temperature", {
    values: ["temperature", "number"],
    examples: ["How hot may the kiln be?"],
  }),
  {
    name: "count",
    asks: /\bhow (?:many|much|old|strong|loud)\b|\b(?:what|which)(?: is| was| are|'s)?(?: the| its)? (?:[\p{L}-]+ ){0,2}(?:number|count|percentage|proportion|share|fraction|speed|rate|limit|maximum|minimum|quota|quorum|port|torque|voltage|accuracy|age|total)\b|\b(?:maximum|minimum|max|min|largest|smallest|highest|lowest) (?:number|size|length|rows?|rate|age|amount)\b/iu,
    values: [...AMOUNTS, "money", "duration"],
    says: /\b(?:half|third|quarter|none|unlimited|twice|pair|couple|dozen|majority)\b/i,
    implied: /^(?:max|maximum|min|minimum|highest|lowest|number|total|amount|limit)$/i,
    examples: ["How many lamps are there?", "What is the minimum age?", "Which port does it use?"],
  },
  {
    name: "who",
    asks: /^(?:(?!\b(?:what|which|how|why|when|where)\b).)*\b(?:who|whom|whose)\b/i,
    says: /\b(?:manager|lead(?:er)?|officer|director|head|engineer|author|committee|board|department|chair(?:man|woman|person)?|owners?|president|secretary|treasurer|teacher|doctor|nurse|members?|everyone|everybody|anyone|nobody|staff|employees?|customers?|users?|tenants?|players?|persons?|people|parents?|visitors?|landlord|landlady|supplier|party|council|police|pharmacist|caretaker|team|patients?|admins?|administrators?|Mrs?|Ms|Dr)\b|(?<=[^.!?:;]\s)\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u,
    examples: ["Who built it?", "Can you tell me who built it?", "Whose job is it?"],
  },
  {
    name: "where",
    asks: /^(?:(?!\b(?:what|which|how|why|when|who)\b).)*\bwhere\b|\b(?:which|what) (?:city|town|country|room|building|place|shelf|folder|directory|file)\b/i,
    says: /\b(?:in|at|on|under|behind|near|next to|inside|opposite|above|below|into|from)\b|\/\w+/i,
    implied: /^(?:place|room|building|folder|directory|file)$/i,
    examples: ["Where is the key?", "In which folder are the logs?"],
  },
  {
    name: "reason",
    asks: /\bwhy\b|\b(?:for )?what reasons?\b|\bwhat (?:caused|led to|made)\b|\bhow come\b/i,
    says: /\b(?:because|since|due to|owing to|so that|in order to|caused?|reasons?|therefore|otherwise|as a result|to (?:avoid|prevent|protect|keep|make sure)|would|too)\b|[–:;]/i,
    implied: /^(?:caused?|reasons?|led|made)$/i,
    examples: ["Why is it red?", "What caused the outage?", "How come it is closed?"],
  },
  {
    name: "how-to",
    asks: /\bhow (?:do|can|should|could|must|would|might|did)\b (?:i|we|you|one|they|someone|an?|the|my)\b|\bhow to\b|\bhow is .* (?:done|installed|replaced|reset|configured|set)\b|\b(?:which|what)(?: are the| is the)? (?:commands?|steps?|code|sql|query|flag|procedure)\b|\bcommands? (?:to|for|that)\b|\bsteps (?:to|for)\b|\binstructions (?:to|for)\b|\bwhat (?:all |else |exactly )?(?:do|should|must|can|shall) (?:i|we|you|one) (?:all )?(?:have to |need to )?do\b|\bwhat now\b|\bin (?:which|what) order\b|\bstep by step\b/i,
    says: /`[^`]+`|^(?:to [\p{L}\s]+, )?(?:then |first |next |now |please )?\p{Lu}?\p{L}+ (?:the|a|an|your|it|down|up|on|off|out|all|with)\b/iu,
    form: "procedure",
    implied: /^(?:commands?|code|sql|steps?|step|query|flags?|procedure|instructions?)$/i,
    examples: [
      "How do I open it?",
      "Which command opens the vents?",
      "What should I do after a fall?",
      "It fell. What now?",
    ],
  },
  {
    name: "permission",
    asks: /^(?:may|can|could|am|are|is|isn't|aren't|can't)\b.*\b(?:allowed|permitted|forbidden|ok|okay|may)\b|^(?:may|can|can't) (?:i|we|you|one|my|guests?|visitors?|members?|tenants?|patients?)\b/i,
    says: /\b(?:may|must|can|cannot|not|allowed|permitted|forbidden|prohibited|only|never|no|welcome|banned)\b/i,
    implied: /^(?:allowed|permitted|forbidden|ok|okay)$/i,
    examples: ["May I bring a dog?", "Isn't smoking allowed here?"],
  },
  {
    name: "yes-no",
    asks: /^(?:(?:and|but|so|then|also) )?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|need|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't)\b/i,
    examples: ["Is it red?", "Does it belong to the people who live there?", "Don't we need a key?"],
  },
  {
    name: "what-if",
    asks: /\bwhat (?:happens?|will happen|if)\b|\bwhat are the consequences\b/i,
    says: /\b(?:if|when|then|will|must|is|are|otherwise|after|whoever|who)\b/i,
    implied: /^(?:happens?|consequences?)$/i,
    examples: ["What happens if I lose it?", "What if nobody comes?"],
  },
  {
    name: "definition",
    asks: /\bwhat (?:does|do|did) .+ (?:mean|stand for)\b|\b(?:define|definition of|meaning of|what is meant by)\b|^what(?:'s| is| are) (?:an? |the )?[\p{L}-]+(?: [\p{L}-]+)?\W*$/iu,
    says: /\b(?:is|are|means?|stands for|called|describes?|refers to)\b|[:–]/i,
    implied: /^(?:mean|meaning|definition|term)$/i,
    examples: ["What does RSC mean?", "What is a soft reset?"],
  },
  {
    name: "list",
    asks: /^(?:which|what) (?:[\p{L}-]+ ){0,2}[\p{L}-]{2,}s (?:are|do|can|have|were|must|should|need)\b|^what are (?:the |all |your |its )|^(?:list|name|enumerate)\b|\ball (?:the |of the )?[\p{L}-]+s\b|\bingredients\b|^what (?:do|should|must) (?:i|we|you) (?:bring|pack|need)\b/iu,
    form: "all",
    examples: ["Which documents do I need?", "List the error codes.", "What should I bring?"],
  },
  { name: "statement", asks: /^/, examples: ["My lamp is red.", "bolt torque"] },
];

/** Asked politely or as a report: `Can you tell me who …`, `Do you know when …`. */
const POLITE =
  /^(?:can|could|would|will|do|does|please)\b.{0,25}\b(?:tell|say|know|explain|show|give|describe|remember|remind)\b(?: me| us)?(?: of| about)?\s+/i;
const AUXILIARY_FIRST =
  /^(?:(?:and|but|so|then|also) )?(?:is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't)\b/i;
const WHETHER = new Set(["permission", "yes-no", "statement"]);

/** The type of one part of a question. */
export function typeOf(text: string): QuestionType {
  const asked = text.trim().replace(POLITE, "");
  const isWhether = AUXILIARY_FIRST.test(asked);
  // `Does it pay people who …` is a yes/no question and does not ask for a person.
  return QUESTION_TYPES.find(({ name, asks }) => (!isWhether || WHETHER.has(name)) && asks.test(asked))!;
}

/** Whether a text states what a type asks for: 1 yes, 0 no, 0.5 if the type does not tell. */
export function satisfies(type: QuestionType, text: string, values: readonly Value[]): number {
  if (!type.values && !type.says) return 0.5;
  if (type.values && values.some(({ sort }) => type.values!.includes(sort))) return 1;
  if (type.says?.test(text)) return type.values ? 0.6 : 1;
  return 0;
}
