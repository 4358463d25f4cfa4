// The types of questions that ask for an amount, a number or a code. See question-types.ts.

import { anyOf, asked, DETERMINER, PHRASE_ENDS } from "./grammar.ts";
import type { QuestionType } from "./question-type.ts";
import { MEASURES } from "../../text/units.ts";

const AMOUNTS = ["number", ...MEASURES];

/** A type that asks for a measured value: `how ADJECTIVE`, `how much NOUN`, `what is the NOUN`, `what is the NOUN limit`. */
const measure = (
  { name, nouns, adjectives = nouns }: { name: string; adjectives?: string; nouns: string },
  rest: Omit<QuestionType, "name" | "asks" | "implied">,
): QuestionType => ({
  name,
  asks: anyOf(
    new RegExp(`\\bhow (?:${adjectives})\\b|\\bhow much (?:${nouns})\\b`),
    asked(`(?:${nouns})(?: limits?)?`),
  ),
  implied: new RegExp(`^(?:${adjectives}|${nouns})s?$`, "i"),
  ...rest,
});

const PRICES =
  "prices?|costs?|fees?|fares?|salary|wages?|charges?|surcharges?|premiums?|commission|penalty|fine|deposit|budget|turnover|revenue|rent|(?:hourly|daily|weekly|monthly|annual|yearly) rates?";

export const VALUE_TYPES: readonly QuestionType[] = [
  {
    name: "money",
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
    examples: [
      "How much does it cost?",
      "What is the fee for a visitor?",
      "How much do I have to pay?",
      "What does it cost to rent a tent?",
      "How high is the deposit?",
      "Which lamp is the cheapest?",
      "price of the lamp",
      "What does an hour cost on a working day?",
      "What premium does such a policy cost?",
    ],
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
    name: "identifier",
    asks: anyOf(
      asked(
        "(?:account|bank|door|entry|gate|alarm|part|order|article|item|serial|policy|licence|license|registration|file|customer|membership|tax|vat|product|reference|case|invoice|passport|chip|batch|model) (?:numbers?|codes?|id)|iban|bic|isbn|passwords?|passcode|pin|access code|bank account",
      ),
    ),
    values: ["code", "version"],
    implied: /^(?:number|code|id)$/i,
    examples: [
      "What is the part number of the belt?",
      "What is the IBAN of the account?",
      "part number of the belt",
    ],
  },
  {
    name: "colour",
    asks: new RegExp(`\\b(?:what|which) colou?rs?\\b|${asked("colou?r").source}`, "iu"),
    implied: /^colou?rs?$/i,
    examples: ["What colour is the label?", "Which colour do the walls have to be?"],
  },
  {
    name: "percentage",
    asks: anyOf(
      asked("percentage|proportion|share|fraction|discounts?|rebate|reduction|interest(?: rate)?"),
      /\b(?:what|which) (?:percentage|proportion|share|fraction) of\b|\bhow many per ?cent\b/,
      /\bhow (?:much|high|big|large) (?:is |are )?(?:the |my |our )?(?:discount|rebate|reduction|share|interest|percentage)/,
      new RegExp(`\\b(?:what|which) part of (?:(?:${DETERMINER}) )?(?:${PRICES}|money|sum|amount)\\b`),
    ),
    values: ["percent", "money", "number"],
    implied: /^(?:percentage|proportion|share|fraction|part)$/i,
    examples: [
      "What percentage of the members voted?",
      "How high is the discount?",
      "What part of the fee comes back?",
    ],
  },
  {
    name: "weight",
    asks: anyOf(
      /\bhow heavy\b|\b(?:what|how much) (?:do|does|did|can|may|must|should) .*\bweigh\b/,
      asked("(?:weight|mass|load|payload)(?: limit)?"),
    ),
    values: ["mass", "number"],
    implied: /^(?:heavy|weight|weigh|weighs|mass)$/i,
    examples: ["How heavy is the crane?", "What does the crane weigh?", "What is the weight of the crane?"],
  },
  measure(
    {
      name: "length",
      adjectives: "tall|deep|wide|thick",
      nouns: "height|depth|width|thickness|distance|length|diameter",
    },
    {
      values: ["length", "number", "duration", "percent", "money"],
      examples: ["How deep is the pond?", "What is the height of the mast?"],
    },
  ),
  {
    name: "height or amount",
    asks: /\bhow (?:high|low|far)\b/i,
    values: ["length", "percent", "money", "duration", "temperature", "pressure", "number"],
    implied: /^(?:high|low|far)$/i,
    examples: ["How high is the excess?", "How far is the beach?"],
  },
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
      values: ["temperature"],
      examples: ["How hot may the kiln be?", "What is the storage temperature?"],
    },
  ),
  measure(
    { name: "speed", adjectives: "fast|quick", nouns: "speed|velocity" },
    {
      values: ["speed", "frequency", "duration"],
      examples: ["How fast is the boat?", "At what speed may I drive?", "What is the speed limit?"],
    },
  ),
  measure(
    { name: "area", nouns: "area|floor area|floor space|surface" },
    { values: ["area", "length"], examples: ["What is the floor area of the flat?"] },
  ),
  measure(
    { name: "volume", nouns: "volume" },
    { values: ["volume", "sound"], examples: ["What is the volume of the tank?"] },
  ),
  measure(
    {
      name: "sound",
      adjectives: "loud|quiet|noisy",
      nouns: "(?:noise|sound) (?:level|power|pressure)|loudness",
    },
    { values: ["sound"], examples: ["How loud is the fan?", "What is the sound power of the mower?"] },
  ),
  measure(
    { name: "power", nouns: "power|wattage|output" },
    { values: ["power"], examples: ["What is the power of the heater?"] },
  ),
  measure(
    { name: "pressure", nouns: "(?:\\p{L}+ )?pressure" },
    { values: ["pressure"], examples: ["What is the tyre pressure?"] },
  ),
  {
    name: "count",
    asks: anyOf(
      /\bhow (?:many|much|strong)\b|\bwhat (?:do|does|did|will|would) .*\b(?:come|add up|amount) to\b/,
      asked(
        "number|count|rate|limit|maximum|minimum|quota|quorum|port|torque|voltage|accuracy|amounts?|total|(?:maximum|minimum) [\\p{L}-]+|quantity|quantities|dose|dosage",
      ),
    ),
    values: [...AMOUNTS, "money", "duration"],
    implied: /^(?:max|maximum|min|minimum|highest|lowest|number|total|amount|limit)$/i,
    examples: ["How many lamps are there?", "Which port does it use?", "bolt torque"],
  },
];
