// What questions ask for: one row per type, with the values that answers contain and how much is quoted. The first row
// that matches counts; see typeOf.

import {
  AUXILIARY,
  anyOf,
  asked,
  CONTENT_WORD,
  DETERMINER,
  first,
  PHRASE_ENDS,
  PLURAL,
  PREPOSITION,
  QUESTION_WORD,
} from "./grammar.ts";
import { MEASURES } from "../../text/units.ts";

/** How a question is answered: by one statement, by a whole list or code block, or by all items of a list. */
type Form = "statement" | "procedure" | "all";

export interface QuestionType {
  name: string;
  asks: RegExp;
  /** Sorts of values of which an answer contains one; see Value. */
  values?: readonly string[];
  form?: Form;
  /** Words of the question that an answer need not contain, because they only name what is asked for. */
  implied?: RegExp;
  example: string;
}

const PRICES =
  "prices?|costs?|fees?|fares?|salary|wages?|charges?|surcharges?|premiums?|commission|penalty|fine|deposit|budget|turnover|revenue|rent|(?:hourly|daily|weekly|monthly|annual|yearly) rates?";

const MEASURED =
  "tall|deep|wide|thick|high|low|far|large|big|hot|warm|cold|fast|quick|loud|quiet|noisy|heavy";
const MEASURING =
  "height|depth|width|thickness|distance|length|diameter|size|memory|ram|storage|disk space|capacity|space|temperature|speed|velocity|area|surface|volume|noise|loudness|power|wattage|output|pressure|weight|mass|load|payload";
const COUNTING =
  "number|count|rate|limit|maximum|minimum|quota|quorum|port|torque|voltage|accuracy|amounts?|total|(?:maximum|minimum) [\\p{L}-]+|quantity|quantities|dose|dosage";

/** First how a question begins, then the value that it asks for, then its form. */
export const QUESTION_TYPES: readonly QuestionType[] = [
  {
    name: "who, where or why",
    example: "Who built the mill?",
    asks: anyOf(
      first("who|whom|whose|where|why"),
      /\bwhat (?:causes?|caused|led to|made|happens?|(?:will|would|could|can|might) happen|if)\b|\bhow come\b|\bwhat are the consequences\b/,
    ),
    implied:
      /^(?:name|responsible|place|room|building|folder|directory|file|caused?|reasons?|led|made|happens?|consequences?)$/i,
  },
  {
    name: "how-to",
    example: "How do I open it?",
    asks: anyOf(
      /\bhow (?:do|can|should|could|must|would|might|did)\b (?:i|we|you|one|they|someone|an?|the|my)\b|\bhow to\b|\bhow is .* (?:done|installed|replaced|reset|configured|set)\b|\bhow (?:is|are|must|should|shall) (?:the|an?|this|these|my|our|\p{L}+s) .*\b\p{L}+ed\b/u,
      /\bhow (?:am|are|is) (?:i|we|you|one) (?:supposed|meant|expected) to\b|\bhow does .+ (?:work|go)\W*$/,
      /\b(?:which|what)(?: are the| is the)? (?:commands?|steps?|code|sql|query|flag|procedure)\b|\bin (?:which|what) order\b|\bstep by step\b/,
      asked("commands?|steps?|procedure|instructions?"),
      /\bwhat (?:all |else )?(?:do|should|must|can|shall|am|are) (?:i|we|you|one) (?:all )?(?:have to |need to |supposed to |meant to )?do\b|\bwhat now\b/,
    ),
    form: "procedure",
    implied: /^(?:commands?|code|sql|steps?|step|query|flags?|procedure|instructions?)$/i,
  },
  {
    name: "age",
    example: "How old must one be to join?",
    asks: anyOf(
      /\bhow (?:old|young) (?:must|may|do|does|should|can|have|has|need)\b/,
      asked("(?:minimum |maximum )?age(?: limit)?"),
    ),
    values: ["age"],
    implied: /^(?:age|old|young|minimum|maximum|limit)$/i,
  },
  {
    name: "length or duration",
    example: "How long is the course?",
    asks: /(?<!\bfor )\bhow long (?:is|are|was|were)\b|\bhow long (?:do|does|did|can|may|must|should|will|would) .*\bbe\W*$|\bwhat(?:['’]s| is) the (?:longest|shortest)\b/i,
    values: ["length", "duration", "date"],
  },
  {
    name: "duration",
    example: "How long does it last?",
    asks: anyOf(
      /\bhow (?:long|soon|quickly|far (?:in advance|ahead|back))\b|\b(?:how much (?:more |extra )?time|(?:how many|number of) (?:\w+ )?(?:seconds|minutes|hours|days|nights|weeks|months|years))\b/,
      asked("duration|period|timeout"),
    ),
    values: ["duration", "date"],
    implied:
      /^(?:duration|period|time|limit|deadline|timeout|days?|hours?|weeks?|months?|years?|minutes?|seconds?)$/i,
  },
  {
    name: "time",
    example: "At what time does it close?",
    asks: anyOf(
      /\b(?:what|which) (?:time|hours?)\b|\bhow (?:late|early)\b/,
      asked("(?:opening|office|visiting) (?:hours|times)"),
    ),
    values: ["time", "duration", "date"],
    implied: /^(?:times?|hours?|late|early)$/i,
  },
  {
    name: "year",
    example: "In which year did it open?",
    asks: new RegExp(`\\b(?:what|which) year${PHRASE_ENDS}|\\bhow old (?:is|are|was|were)\\b`, "i"),
    values: ["year", "date", "duration"],
    implied: /^years?$/i,
  },
  {
    name: "when",
    example: "By when must I reply?",
    asks: anyOf(
      new RegExp(`${first("when").source}(?= (?:${AUXILIARY})\\b|(?!.*\\b(?:${QUESTION_WORD})\\b))`),
      new RegExp(`\\b(?:what|which) (?:date|day|month|weekday)${PHRASE_ENDS}`),
      /\b(?:by|until|till|up to|before) when\b|\b(?:by|until|till|before) (?:what|which) (?:date|day)\b/,
      asked(
        "date|deadline|time ?limit|due date|closing date|(?:first|earliest|next|last|latest) (?:\\p{L}+ )?(?:day|date)",
      ),
    ),
    values: ["weekday", "date", "year", "time", "duration"],
    implied: /^(?:date|day|year|month|deadline|limit|ready|finished|done|over|due|last|latest|first)$/i,
  },
  {
    name: "money",
    example: "How high is the deposit?",
    asks: anyOf(
      asked(PRICES),
      new RegExp(
        `\\bhow (?:much|high|big|large|low) (?:(?:is|are|was|were) )?(?:(?:${DETERMINER}) )?(?:${PRICES})\\b`,
      ),
      new RegExp(
        `\\bhow much (?:is|are|was|were) (?:(?:${DETERMINER}) |it\\b|\\p{L}+s\\b)(?!.*\\b(?:left|allowed|needed|weight|load|memory|storage|space|time|water)\\b)`,
      ),
      /\bhow much (?:money\b|.*\b(?:pay|paid|charged?|owe|earn|costs?|spend|get back|reimbursed?)\b)/,
      /\b(?:what|which) (?:\p{L}+ )?(?:do|does|did|will|would|must|should)\b(?:(?!\bthe cost).)*\bcost\b/u,
      /\bwhat (?:do|does|did|will|would|must|should|is|am)\b.*(?<!\bthe )\b(?:cost|pay|paid|owe|charged?|earn|get back)(?=\W*$| (?:altogether|in total|in all|at most|me|us|for|per|if|when|at|in|each|extra|an?|to)\b)/,
      /\bhow (?:much )?(?:more |less )?(?:expensive|cheap)\b|\b(?:which|what)\b.*\b(?:(?:more|most|less|least) expensive|cheaper|cheapest)\b/,
      /\b(?:what|which) amount\b|\bhow many (?:euros?|dollars?|pounds?|francs?|cents?)\b/,
    ),
    values: ["money"],
    implied: /^(?:costs?|prices?|much|money|amount|expensive|pay|fees?|charged?)$/i,
  },
  {
    name: "version",
    example: "Which version is it?",
    asks: anyOf(
      new RegExp(`\\b(?:which|what)(?: \\w+)? (?:version|release|firmware)${PHRASE_ENDS}`),
      asked("version|version number"),
    ),
    values: ["version", "number", "code"],
    implied: /^(?:version|release)$/i,
  },
  {
    name: "identifier",
    example: "What is the part number of the belt?",
    asks: anyOf(
      asked(
        "(?:account|bank|door|entry|gate|alarm|part|order|article|item|serial|policy|licence|license|registration|file|customer|membership|tax|vat|product|reference|case|invoice|passport|chip|batch|model) (?:numbers?|codes?|id)|iban|bic|isbn|passwords?|passcode|pin|access code|bank account",
      ),
    ),
    values: ["code", "version"],
    implied: /^(?:number|code|id)$/i,
  },
  {
    name: "percentage",
    example: "What part of the fee comes back?",
    asks: anyOf(
      asked("percentage|proportion|share|fraction|discounts?|rebate|reduction|interest(?: rate)?"),
      /\b(?:what|which) (?:percentage|proportion|share|fraction) of\b|\bhow many per ?cent\b/,
      /\bhow (?:much|high|big|large) (?:is |are )?(?:the |my |our )?(?:discount|rebate|reduction|share|interest|percentage)/,
      new RegExp(`\\b(?:what|which) part of (?:(?:${DETERMINER}) )?(?:${PRICES}|money|sum|amount)\\b`),
    ),
    values: ["percent", "money", "number"],
    implied: /^(?:percentage|proportion|share|fraction|part)$/i,
  },
  {
    name: "amount",
    example: "What does the crane weigh?",
    asks: anyOf(
      new RegExp(`\\bhow (?:many|much|strong|${MEASURED})\\b`),
      /\b(?:what|how much) (?:do|does|did|can|may|must|should|will|would) .*\b(?:weigh|(?:come|add up|amount) to)\b/,
      asked(`(?:${MEASURING}|${COUNTING})(?: limits?)?`),
    ),
    values: [...MEASURES, "number", "money", "duration"],
    implied: new RegExp(
      `^(?:(?:${MEASURED}|${MEASURING})s?|max|maximum|min|minimum|highest|lowest|number|total|amount|limit|weigh)$`,
      "i",
    ),
  },
  {
    name: "yes-no",
    example: "May I bring a dog?",
    asks: anyOf(
      /^(?:(?:and|but|so|then|also) )?(?:am|may|might|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|need|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't)\b/,
      /^(?:it is|it's|it isn't|it's not|it is not) (?:a problem|ok|okay|fine|all ?right|legal|allowed|permitted|forbidden|possible|necessary|required|compulsory|mandatory) (?:to|if|for|that)\b/,
    ),
    implied:
      /^(?:allowed|permitted|forbidden|ok|okay|problem|possible|necessary|required|compulsory|mandatory|voluntary|optional)$/i,
  },
  {
    name: "list",
    example: "Which documents do I need?",
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
  },
  {
    name: "statement",
    example: "red lamp",
    asks: /^/,
  },
];
