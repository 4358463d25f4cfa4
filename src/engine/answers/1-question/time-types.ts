// The types of questions that ask for a time: how often, how long, when, how old. See question-types.ts.

import { AUXILIARY, anyOf, asked, first, PHRASE_ENDS, QUESTION_WORD } from "./grammar.ts";
import type { QuestionType } from "./question-type.ts";

export const TIME_TYPES: readonly QuestionType[] = [
  {
    name: "frequency",
    asks: /\bhow (?:often|frequently|regularly|many times)\b|\bat what intervals?\b/i,
    examples: ["How often is it cleaned?", "At what intervals are the filters changed?"],
  },
  {
    name: "age",
    asks: anyOf(
      /\bhow (?:old|young) (?:must|may|do|does|should|can|have|has|need)\b/,
      asked("(?:minimum |maximum )?age(?: limit)?"),
    ),
    values: ["age"],
    implied: /^(?:age|old|young|minimum|maximum|limit)$/i,
    examples: ["How old must one be to join?", "What is the minimum age?"],
  },
  {
    name: "length or duration",
    asks: /(?<!\bfor )\bhow long (?:is|are|was|were)\b|\bhow long (?:do|does|did|can|may|must|should|will|would) .*\bbe\W*$|\bwhat(?:['’]s| is) the (?:longest|shortest)\b/i,
    values: ["length", "duration", "date"],
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
    implied: /^(?:times?|hours?|late|early)$/i,
    examples: ["At what time does it close?", "What are the opening hours?"],
  },
  {
    name: "year",
    asks: new RegExp(`\\b(?:what|which) year${PHRASE_ENDS}|\\bhow old (?:is|are|was|were)\\b`, "i"),
    values: ["year", "date", "duration"],
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
    implied: /^(?:date|day|year|month|deadline|ready|finished|done|over|due|last|first)$/i,
    examples: ["When was it built?", "When does the office open?", "When is the dough ready?"],
  },
];
