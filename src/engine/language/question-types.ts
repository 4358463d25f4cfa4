// What questions ask for: one row per type with what asks for it, which values or words of a text satisfy it, and examples
// that a test asks. The first matching row counts; see typeOf.

import {
  anyOf,
  asked,
  AUXILIARY,
  CONTENT_WORD,
  DETERMINER,
  first,
  PHRASE_ENDS,
  PLURAL,
  PREPOSITION,
  QUESTION_WORD,
} from "./grammar.ts";
import { MEASURES } from "./units.ts";

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

const AMOUNTS = ["number", ...MEASURES];

/** A type that asks for a measured value: `how ADJECTIVE`, `how much NOUN`, `what is the NOUN`. */
const measure = (
  { name, adjectives, nouns }: Record<"name" | "adjectives" | "nouns", string>,
  rest: Omit<QuestionType, "name" | "asks" | "implied">,
): QuestionType => ({
  name,
  asks: anyOf(new RegExp(`\\bhow (?:${adjectives})\\b|\\bhow much (?:${nouns})\\b`), asked(nouns)),
  implied: new RegExp(`^(?:${adjectives}|${nouns})s?$`, "i"),
  ...rest,
});

const PRICES =
  "prices?|costs?|fees?|fares?|salary|wages?|charges?|penalty|fine|deposit|budget|turnover|revenue|rent";
const UNTIL =
  /\b(?:immediately|at once|straight away|instantly|permanently|forever|until|overnight|same day|next day|(?:mon|tues|wednes|thurs|fri|satur|sun)day|first|end of)\b/i;

/** The types: first by how a question begins, then by the value that it asks for. */
export const QUESTION_TYPES: readonly QuestionType[] = [
  {
    name: "contact",
    asks: anyOf(
      asked("(?:phone|telephone|mobile|fax|extension) numbers?|e-?mail(?: address)?|web ?site|url|address"),
      /\b(?:what|which) number\b.*\b(?:call|dial|ring|phone)|\bwho(?:m)? (?:do|should|can|must|to) (?:i |we |you |one )?(?:call|ring|phone|contact|write)\b/,
    ),
    says: /\S@\S+\.\S|https?:\/\/|\bwww\.|(?:\+|\b)\d[\d ()/.-]{4,}\d\b|\bextension \d|\b(?:call|ring|phone|dial|contact|write to)\b/i,
    examples: ["What is the phone number of Ann?", "Which number do I dial?", "Who do I call at night?"],
  },
  {
    name: "who",
    asks: first("who|whom|whose"),
    says: /\b(?:manager|lead(?:er)?|officer|director|head|engineer|author|committee|board|department|chair(?:man|woman|person)?|owners?|president|secretary|treasurer|teacher|doctor|nurse|members?|everyone|everybody|anyone|nobody|staff|employees?|customers?|users?|tenants?|players?|persons?|people|parents?|visitors?|landlord|landlady|supplier|party|council|police|pharmacist|caretaker|team|patients?|admins?|administrators?|Mrs?|Ms|Dr)\b|(?<=[^.!?:;]\s)\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+/u,
    examples: [
      "Who built it?",
      "Can you tell me who built it?",
      "Whose job is it?",
      "Who checks the temperature of the pond?",
    ],
  },
  {
    name: "where",
    asks: anyOf(
      first("where"),
      new RegExp(
        `\\b(?:which|what) (?:city|town|country|room|building|place|shelf|folder|directory|file)${PHRASE_ENDS}`,
      ),
    ),
    says: /\b(?:in|at|on|under|behind|near|next to|inside|opposite|above|below|into|from)\b|\/\w+/i,
    implied: /^(?:place|room|building|folder|directory|file)$/i,
    examples: ["Where is the key?", "In which folder are the logs?", "Where is the storage of the tents?"],
  },
  {
    name: "reason",
    asks: anyOf(
      first("why"),
      /\bwhat (?:causes?|caused|led to|made)\b|\bhow come\b/,
      asked("reasons?|causes?"),
    ),
    says: /\b(?:because|since|due to|owing to|so that|in order to|caused?|reasons?|therefore|otherwise|as a result|to (?:avoid|prevent|protect|keep|make sure)|would|too)\b|[–:;]/i,
    implied: /^(?:caused?|reasons?|led|made)$/i,
    examples: [
      "Why is it red?",
      "What caused the outage?",
      "How come it is closed?",
      "Why is the price of the lamp so high?",
    ],
  },
  {
    name: "how-to",
    asks: anyOf(
      /\bhow (?:do|can|should|could|must|would|might|did)\b (?:i|we|you|one|they|someone|an?|the|my)\b|\bhow to\b|\bhow is .* (?:done|installed|replaced|reset|configured|set)\b/,
      /\b(?:which|what)(?: are the| is the)? (?:commands?|steps?|code|sql|query|flag|procedure)\b|\bin (?:which|what) order\b|\bstep by step\b/,
      asked("commands?|steps?|procedure|instructions?"),
      /\bwhat (?:all |else |exactly )?(?:do|should|must|can|shall) (?:i|we|you|one) (?:all )?(?:have to |need to )?do\b|\bwhat now\b/,
    ),
    says: /`[^`]+`|^(?:to [\p{L}\s]+, )?(?:then |first |next |now |please )?\p{Lu}?\p{L}+ (?:the|a|an|your|it|down|up|on|off|out|all|with)\b/iu,
    form: "procedure",
    implied: /^(?:commands?|code|sql|steps?|step|query|flags?|procedure|instructions?)$/i,
    examples: [
      "How do I open it?",
      "Which command opens the vents?",
      "What should I do after a fall?",
      "It fell. What now?",
      "How do I get my deposit back?",
      "How can I reduce the weight of the tent?",
      "What should I do if the fee is wrong?",
      "When the lamp is red, what should I do?",
    ],
  },
  {
    name: "what-if",
    asks: /\bwhat (?:happens?|will happen|if)\b|\bwhat are the consequences\b/i,
    says: /\b(?:if|when|then|will|must|is|are|otherwise|after|whoever|who)\b/i,
    implied: /^(?:happens?|consequences?)$/i,
    examples: ["What happens if I lose it?", "What if nobody comes?", "What happens if the memory is full?"],
  },
  {
    name: "frequency",
    asks: /\bhow (?:often|frequently|regularly|many times)\b|\bat what intervals?\b/i,
    says: /\b(?:every|per|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|nightly|hourly|once|twice|times (?:a|per)|always|never|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i,
    examples: ["How often is it cleaned?", "At what intervals are the filters changed?"],
  },
  {
    name: "length or duration",
    asks: /\bhow long (?:is|are|was|were)\b|\bhow long (?:do|does|did|can|may|must|should|will|would) .*\bbe\W*$/i,
    values: ["length", "duration", "date"],
    says: UNTIL,
    examples: ["How long is the rope?", "How long must the rope be?", "How long is the course?"],
  },
  {
    name: "duration",
    asks: anyOf(
      /\bhow (?:long|soon|quickly|far (?:in advance|ahead|back))\b|\b(?:how many|number of) (?:\w+ )?(?:seconds|minutes|hours|days|nights|weeks|months|years)\b/,
      asked("duration|period|time ?limit|deadline|timeout"),
    ),
    values: ["duration", "date"],
    says: UNTIL,
    implied:
      /^(?:duration|period|time|limit|deadline|timeout|days?|hours?|weeks?|months?|years?|minutes?|seconds?)$/i,
    examples: [
      "How long does it last?",
      "Within how many days must I object?",
      "How far in advance can it be booked?",
      "What is the notice period for members?",
    ],
  },
  {
    name: "money",
    asks: anyOf(
      asked(PRICES),
      new RegExp(
        `\\bhow (?:much|high|big|large|low) (?:(?:is|are|was|were) )?(?:(?:${DETERMINER}) )?(?:${PRICES})\\b`,
      ),
      /\bhow much (?:money\b|.*\b(?:pay|paid|charged?|owe|earn|costs?|spend|get back|reimbursed?)\b)/,
      /\bwhat (?:do|does|did|will|would|must|should|is|am)\b.*(?<!\bthe )\b(?:cost|pay|paid|owe|charged?|earn)(?=\W*$| (?:me|us|for|per|if|when|at|in|each|extra|an?|to)\b)/,
      /\bhow (?:much )?(?:more |less )?(?:expensive|cheap)\b|\b(?:which|what)\b.*\b(?:(?:more|most|less|least) expensive|cheaper|cheapest)\b/,
    ),
    values: ["money"],
    says: /\b(?:free|no charge|no fee|nothing|gratis|included|at no cost|\d+[.,]\d\d)\b/i,
    implied: /^(?:costs?|prices?|much|money|amount|expensive|pay|fees?|charged?)$/i,
    examples: [
      "How much does it cost?",
      "What is the fee for a visitor?",
      "How much do I have to pay?",
      "What does it cost to rent a tent?",
      "How high is the deposit?",
      "Which lamp is the cheapest?",
      "price of the lamp",
    ],
  },
  {
    name: "time",
    asks: anyOf(
      /\b(?:what|which) time\b|\bwhen (?:do|does|is|are|will)\b.*\b(?:opens?|close[sd]?|shuts?|start)\b|\b(?:until|till|by|from) when\b/,
      asked("(?:opening|office|visiting) (?:hours|times)"),
    ),
    values: ["time", "duration", "date"],
    says: /\b(?:sunrise|sunset|always|never|closed|around the clock|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|morning|evening|o'clock)\b/i,
    implied: /^(?:times?|hours)$/i,
    examples: ["At what time does it close?", "When does the office open?"],
  },
  {
    name: "when",
    asks: anyOf(
      new RegExp(`${first("when").source}(?= (?:${AUXILIARY})\\b|(?!.*\\b(?:${QUESTION_WORD})\\b))`),
      new RegExp(`\\b(?:what|which) (?:year|date|day|month|weekday)${PHRASE_ENDS}`),
      asked("date|deadline"),
    ),
    values: ["date", "year", "time", "duration"],
    says: /\b(?:when|once|until|after|before|as soon as|then|if|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|weeks?|ago|yesterday|immediately)\b/i,
    implied: /^(?:date|day|year|month|deadline|ready|finished|done|over|due)$/i,
    examples: ["When was it built?", "In which year did it open?", "When is the dough ready?"],
  },
  {
    name: "version",
    asks: anyOf(
      new RegExp(`\\b(?:which|what)(?: \\w+)? (?:version|release|firmware)${PHRASE_ENDS}`),
      asked("version|version number"),
    ),
    values: ["version", "number", "code"],
    implied: /^(?:version|release)$/i,
    examples: ["Which version is it?"],
  },
  {
    name: "weight",
    asks: anyOf(
      /\bhow heavy\b|\b(?:what|how much) (?:do|does|did|can|may|must|should) .*\bweigh\b/,
      asked("weight|mass"),
    ),
    values: ["mass"],
    implied: /^(?:heavy|weight|weigh|weighs|mass)$/i,
    examples: ["How heavy is the crane?", "What does the crane weigh?", "What is the weight of the crane?"],
  },
  measure(
    {
      name: "length",
      adjectives: "tall|high|deep|wide|thick|far",
      nouns: "height|depth|width|thickness|distance|length|diameter",
    },
    {
      values: ["length", "number", "duration", "percent", "money"],
      examples: ["How deep is the pond?", "What is the height of the mast?"],
    },
  ),
  measure(
    {
      name: "size",
      adjectives: "large|big",
      nouns: "size|memory|ram|storage|disk space|capacity|space",
    },
    {
      values: ["data", "length", "area", "volume", "mass", "number"],
      examples: ["How large may a file be?", "How much memory does it need?"],
    },
  ),
  measure(
    { name: "temperature", adjectives: "hot|warm|cold", nouns: "temperature" },
    {
      values: ["temperature", "number"],
      examples: ["How hot may the kiln be?", "What is the storage temperature?"],
    },
  ),
  measure(
    { name: "speed", adjectives: "fast|quick", nouns: "speed|velocity" },
    {
      values: ["speed", "frequency", "duration"],
      examples: ["How fast is the boat?", "At what speed may I drive?"],
    },
  ),
  {
    name: "count",
    asks: anyOf(
      /\bhow (?:many|much|old|strong|loud)\b/,
      asked(
        "number|count|percentage|proportion|share|fraction|rate|limit|maximum|minimum|quota|quorum|port|torque|voltage|accuracy|age|amount|total",
      ),
    ),
    values: [...AMOUNTS, "money", "duration"],
    says: /\b(?:half|third|quarter|none|unlimited|twice|pair|couple|dozen|majority)\b/i,
    implied: /^(?:max|maximum|min|minimum|highest|lowest|number|total|amount|limit)$/i,
    examples: [
      "How many lamps are there?",
      "What is the minimum age?",
      "Which port does it use?",
      "bolt torque",
    ],
  },
  {
    name: "permission",
    asks: /^(?:may|can|could|am|are|is|isn't|aren't|can't)\b.*\b(?:allowed|permitted|forbidden|ok|okay|may)\b|^(?:may|can|can't) (?:i|we|you|one|my|guests?|visitors?|members?|tenants?|patients?)\b/i,
    says: /\b(?:may|must|can|cannot|not|allowed|permitted|forbidden|prohibited|only|never|no|welcome|banned)\b/i,
    implied: /^(?:allowed|permitted|forbidden|ok|okay)$/i,
    examples: ["May I bring a dog?", "Isn't smoking allowed here?", "If it rains, may I leave early?"],
  },
  {
    name: "yes-no",
    asks: /^(?:(?:and|but|so|then|also) )?(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|need|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't)\b/i,
    examples: [
      "Is it red?",
      "Does it belong to the people who live there?",
      "Don't we need a key?",
      "Is the rent contract signed?",
    ],
  },
  {
    name: "list",
    asks: anyOf(
      /^(?:list|enumerate|name(?! of\b))\b|\ball (?:the |of the )?[\p{L}-]+s\b|\bingredients\b|^what are (?:the|all|your|our|my|its|their|some)\b(?!.* (?:for|about|like|of)\W*$)/u,
      new RegExp(`^(?:(?:${PREPOSITION}) )?which (?:of (?:${DETERMINER}) )?${PLURAL}\\b`),
      new RegExp(
        `^(?:(?:${PREPOSITION}) )?(?:which|what) (?:${CONTENT_WORD} ){0,2}${PLURAL} (?:${AUXILIARY}|belong|need)\\b`,
      ),
      /^(?:which|what) (?:kinds|types|sorts) of\b|^what (?:is|are) (?:included|needed|required|provided|covered)\b/,
      new RegExp(
        `^what (?:do|should|must|can|may) (?:i|we|you|${PLURAL}) (?:have to |need to )?(?:bring|pack|need)\\b`,
      ),
      new RegExp(
        `^what (?:do|does|did) .+ (?<!\\b(?:${DETERMINER}) )(?:contain|include|consist of|comprise|offer|support|cover)${PHRASE_ENDS}`,
      ),
    ),
    form: "all",
    examples: [
      "Which documents do I need?",
      "Which documents do I need for the rent contract?",
      "List the error codes.",
      "List the prices.",
      "Could you list the rules?",
      "What should I bring?",
      "What are the side effects?",
      "What are the house rules?",
      "What languages does it support?",
      "Which countries does the warranty cover?",
      "What types of bread are there?",
      "What does the kit contain?",
      "Which services will be offered?",
    ],
  },
  {
    name: "definition",
    asks: anyOf(
      /\bwhat (?:does|do|did) .+ (?:mean|stand for)\b|\bdefine\b|\bwhat is meant by\b/,
      new RegExp(`^what(?:['’]s| is| are) (?:an? |the )?${CONTENT_WORD}(?: ${CONTENT_WORD})?\\W*$`),
      asked("definition|meaning"),
    ),
    says: /\b(?:is|are|means?|stands for|called|describes?|refers to)\b|[:–]/i,
    implied: /^(?:mean|meaning|definition|term)$/i,
    examples: ["What does RSC mean?", "What is a soft reset?", "What is a fee?", "What are kelim knots?"],
  },
  {
    name: "statement",
    asks: /^/,
    examples: ["My lamp is red.", "red lamp", "How does it affect the price?"],
  },
];
