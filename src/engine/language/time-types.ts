// The types of questions that ask for a time: how often, how long, when, how old. See question-types.ts.

import { anyOf, asked, AUXILIARY, first, MONTH, PHRASE_ENDS, QUESTION_WORD, WEEKDAY } from "./grammar.ts";
import { NUMBER_WORDS } from "./numbers.ts";
import type { QuestionType } from "./question-types.ts";

const PERIOD =
  "(?:seconds?|minutes?|hours?|days?|nights?|weeks?|fortnights?|months?|quarters?|years?|terms?)";
/** `within two weeks`, `the day before`, `three months later`: a time as the distance from another one. */
const RELATIVE = `\\b(?:within|after|in|every) (?:at most |about |the (?:next|first|last) )?(?:\\d+|${NUMBER_WORDS}) (?:\\p{Ll}+ )?${PERIOD}\\b|\\b${PERIOD} (?:before|after|later|earlier|ahead|ago|beforehand|in advance|prior|from now)\\b`;
const UNTIL = new RegExp(
  `\\b(?:immediately|at once|straight away|instantly|permanently|forever|until|till|overnight|same day|next day|by (?:the )?(?:${WEEKDAY}|end of))\\b`,
  "i",
);
/** Behind a number that counts nothing else than years: `under 8 are admitted`, `from 16 to 18`. */
const AGE_ENDS =
  "(?=\\W*$|[,;.)]|\\s(?:and|or|may|can|must|need|are|is|have|to|pay|with|years?|only|at|for)\\b)";

export const TIME_TYPES: readonly QuestionType[] = [
  {
    name: "frequency",
    asks: /\bhow (?:often|frequently|regularly|many times)\b|\bat what intervals?\b/i,
    states:
      /\b(?:every|each (?:day|week|month|quarter|year|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|intervals? of|per|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|nightly|hourly|once|twice|(?:\d+|two|three|four|five|six|several) times|always|never|(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b/i,
    headers: /\b(?:how often|frequency|intervals?|every|checked|emptied|swept|cleaned)\b/i,
    examples: ["How often is it cleaned?", "At what intervals are the filters changed?"],
  },
  {
    name: "age",
    asks: anyOf(
      /\bhow (?:old|young) (?:must|may|do|does|should|can|have|has|need)\b/,
      asked("(?:minimum |maximum )?age(?: limit)?"),
    ),
    values: ["age"],
    states: new RegExp(
      `\\b(?:aged?|under|over|from|below|above|(?:older|younger|more|less) than|at least|between|until|up to|turns?|reach(?:es)?) (?:the age of )?\\d{1,2}${AGE_ENDS}` +
        `|\\b(?:aged?|children|anyone|persons?|people|those|everybody) (?:\\p{L}+ ){0,3}\\d{1,2}${AGE_ENDS}|\\b\\d{1,2}(?:[- ]years?[- ]olds?| years? (?:of age|old))\\b|\\b\\d{1,2} (?:years )?or (?:older|over|younger)\\b`,
      "iu",
    ),
    hints: /\b(?:adults?|minors?|of age|grown-ups?)\b/i,
    headers: /\bage\b/i,
    implied: /^(?:age|old|young|minimum|maximum|limit)$/i,
    examples: ["How old must one be to join?", "What is the minimum age?"],
  },
  {
    name: "length or duration",
    asks: /(?<!\bfor )\bhow long (?:is|are|was|were)\b|\bhow long (?:do|does|did|can|may|must|should|will|would) .*\bbe\W*$|\bwhat(?:['’]s| is) the (?:longest|shortest)\b/i,
    values: ["length", "duration", "date"],
    unsure: ["date"],
    states: UNTIL,
    headers: /\b(?:length|duration|period|time|how long)\b/i,
    examples: [
      "How long is the rope?",
      "How long must the rope be?",
      "How long is the course?",
      "What's the longest a guest may stay?",
    ],
  },
  {
    name: "duration",
    asks: anyOf(
      /\bhow (?:long|soon|quickly|far (?:in advance|ahead|back))\b|\b(?:how much (?:more |extra )?time|(?:how many|number of) (?:\w+ )?(?:seconds|minutes|hours|days|nights|weeks|months|years))\b/,
      asked("duration|period|timeout"),
    ),
    values: ["duration", "date"],
    unsure: ["date"],
    states: UNTIL,
    headers: /\b(?:duration|period|time|how long|wait|deadline|at least)\b/i,
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
    name: "time",
    asks: anyOf(
      /\b(?:what|which) (?:time|hours?)\b|\bhow (?:late|early)\b/,
      asked("(?:opening|office|visiting) (?:hours|times)"),
    ),
    values: ["time", "duration", "date"],
    unsure: ["duration", "date"],
    states: new RegExp(
      `\\b(?:sunrise|sunset|around the clock|o'clock|day and night)\\b|\\b(?:minutes?|hours?) (?:before|after)\\b|${RELATIVE}`,
      "iu",
    ),
    hints: new RegExp(`\\b(?:always|never|closed|${WEEKDAY}|morning|evening)\\b`, "i"),
    implied: /^(?:times?|hours?|late|early)$/i,
    examples: ["At what time does it close?", "What are the opening hours?"],
  },
  {
    name: "year",
    asks: new RegExp(`\\b(?:what|which) year${PHRASE_ENDS}|\\bhow old (?:is|are|was|were)\\b`, "i"),
    values: ["year", "date", "duration"],
    unsure: ["date", "duration"],
    states: /\b(?:1[5-9]|20)\d{2}\b|\b\d+ years? old\b|\b\d+-year-old\b/,
    headers: /\b(?:year|built|since|founded)\b/i,
    implied: /^years?$/i,
    examples: ["In which year did it open?", "How old is the building?"],
  },
  {
    name: "deadline",
    asks: anyOf(
      /\b(?:by|until|till|up to|before) when\b|\b(?:by|until|till|before) (?:what|which) (?:date|day)\b/,
      asked("deadline|time ?limit|due date|closing date|(?:last|latest) (?:\\p{L}+ )?(?:day|date)"),
    ),
    values: ["weekday", "date", "year", "time", "duration"],
    states: new RegExp(`\\b(?:${WEEKDAY}|(?-i:${MONTH})|end of|immediately|at once)\\b|${RELATIVE}`, "iu"),
    hints: /\b(?:before|until|at the latest|no later|by (?:\d|the (?:\d|end|first|last)|next|end|noon|mid))/i,
    headers: /\b(?:when|until|by|due|deadline|ends?|date|at least)\b/i,
    implied: /^(?:deadline|date|day|last|latest|due|limit)$/i,
    examples: ["By when must I reply?", "What is the deadline?", "What is the last day to register?"],
  },
  {
    name: "when",
    asks: anyOf(
      new RegExp(`${first("when").source}(?= (?:${AUXILIARY})\\b|(?!.*\\b(?:${QUESTION_WORD})\\b))`),
      new RegExp(`\\b(?:what|which) (?:date|day|month|weekday)${PHRASE_ENDS}`),
      asked("date|(?:first|earliest|next) (?:\\p{L}+ )?(?:day|date)"),
    ),
    values: ["weekday", "date", "year", "time", "duration"],
    unsure: ["duration"],
    states: new RegExp(
      `\\b(?:${WEEKDAY}|(?-i:${MONTH})|spring|summer|autumn|winter|holidays|half-term|christmas|easter|yesterday|tomorrow|immediately|as soon as)\\b|${RELATIVE}`,
      "iu",
    ),
    hints:
      /\b(?:when|once(?! an?\b)|until|after|before|if)\b(?: [^\s,;.]+){0,6}|\b(?:then|weeks?|terms?|the (?:first|last|next|second))\b/i,
    headers:
      /\b(?:when|date|until|from|due|deadline|begins?|ends?|start|month|year|built|departure|arrival)\b/i,
    implied: /^(?:date|day|year|month|deadline|ready|finished|done|over|due|last|first)$/i,
    examples: ["When was it built?", "When does the office open?", "When is the dough ready?"],
  },
];
