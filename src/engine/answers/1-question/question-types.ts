// What questions ask for: one row per type with what asks for it, which values or words of a text state it, and examples
// that a test asks. The first matching row counts; see typeOf.

import type { QuestionType } from "./question-type.ts";
import {
  AUXILIARY,
  anyOf,
  asked,
  CONTENT_WORD,
  DETERMINER,
  first,
  PERSON,
  PHRASE_ENDS,
  PLACE,
  PLURAL,
  PREPOSITION,
} from "./grammar.ts";
import { TIME_TYPES } from "./time-types.ts";
import { VALUE_TYPES } from "./value-types.ts";

/** Types that are recognized by the first words of the question. */
const BY_BEGINNING: readonly QuestionType[] = [
  {
    name: "contact",
    asks: anyOf(
      asked("(?:phone|telephone|mobile|fax|extension) (?:numbers?|extensions?)"),
      /\b(?:what|which)(?:['’]s| is| are)? (?:the |your )?(?:[\p{L}-]+ )?numbers?\b.*\b(?:call|dial|ring|phone|reach|text)|\bwho(?:m)? (?:do|should|can|must|to) (?:i |we |you |one )?(?:call|ring|phone|contact|write)\b/u,
      new RegExp(
        `\\bhow (?:can|do|could) (?:i|we|you|one) (?:contact|get (?:hold of|in touch with)|reach (?:(?:${DETERMINER}) )?${PERSON})\\b`,
      ),
    ),
    examples: [
      "What is the phone number of Ann?",
      "Which number do I dial?",
      "What's the number I have to ring?",
      "Which internal number do I call?",
      "Who do I call at night?",
    ],
  },
  {
    name: "address",
    asks: anyOf(asked("e-?mail(?: address)?|web ?site|web page|home ?page|url|(?:postal )?address")),
    implied: /^(?:address|e-?mail|website|url)$/i,
    examples: ["What is your e-mail address?", "What's the address of the depot?"],
  },
  {
    name: "who",
    asks: anyOf(
      first("who|whom|whose"),
      new RegExp(
        `\\b(?:which|what) ${PERSON}(?:${PHRASE_ENDS}|(?= (?:\\p{L}+(?:s|ed)|got|won|made|built|sold|gave|took|wrote|led|ran)\\b))(?!.*\\b(?:most|least|\\p{L}{3,}est|more|less)\\b)`,
      ),
      new RegExp(
        `\\bwhat(?:['’]s| is) the (?:name of (?:the|our|your|my) ${PERSON}\\b|${PERSON}['’]s? name)`,
      ),
    ),
    implied: /^(?:name|responsible|allowed|permitted|entitled)$/i,
    examples: [
      "Who built it?",
      "Can you tell me who built it?",
      "Whose job is it?",
      "Who checks the temperature of the pond?",
      "Which company makes the pump?",
      "What is the name of the caretaker?",
    ],
  },
  {
    name: "where",
    asks: anyOf(
      first("where"),
      new RegExp(
        `\\b(?:which|what) (?:city|town|country|room|building|place|shelf|folder|directory|file)${PHRASE_ENDS}`,
      ),
      new RegExp(
        `\\b(?:in|on|at|from|to|into|under|behind|through) (?:which|what) (?:${CONTENT_WORD} )?${PLACE}${PHRASE_ENDS}|\\b(?:which|what) ${PLACE} (?:${AUXILIARY}) .* (?:on|in|at|from|to|under|behind)\\W*$`,
      ),
    ),
    implied: /^(?:place|room|building|folder|directory|file)$/i,
    examples: [
      "Where is the key?",
      "In which folder are the logs?",
      "Where is the storage of the tents?",
      "On which rack is the boat?",
      "Which floor is the office on?",
    ],
  },
  {
    name: "reason",
    asks: anyOf(
      first("why"),
      /\bwhat (?:causes?|caused|led to|made)\b|\bhow come\b/,
      asked("reasons?|causes?"),
      /\bfor (?:what|which) reasons?\b/,
    ),
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
      /\bhow (?:do|can|should|could|must|would|might|did)\b (?:i|we|you|one|they|someone|an?|the|my)\b|\bhow to\b|\bhow is .* (?:done|installed|replaced|reset|configured|set)\b|\bhow (?:is|are|must|should|shall) (?:the|an?|this|these|my|our|\p{L}+s) .*\b\p{L}+ed\b/u,
      /\bhow (?:am|are|is) (?:i|we|you|one) (?:supposed|meant|expected) to\b|\bhow does .+ (?:work|go)\W*$/,
      /\b(?:which|what)(?: are the| is the)? (?:commands?|steps?|code|sql|query|flag|procedure)\b|\bin (?:which|what) order\b|\bstep by step\b/,
      asked("commands?|steps?|procedure|instructions?"),
      /\bwhat (?:all |else )?(?:do|should|must|can|shall|am|are) (?:i|we|you|one) (?:all )?(?:have to |need to |supposed to |meant to )?do\b|\bwhat now\b/,
    ),
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
      "How exactly am I supposed to wash it?",
      "How does the exercise go?",
    ],
  },
  {
    name: "condition",
    asks: anyOf(
      /\b(?:under|on) (?:which|what) (?:\p{L}+ )?(?:conditions?|circumstances)\b/u,
      asked("preconditions?|prerequisites?|requirements?"),
    ),
    implied: /^(?:conditions?|circumstances|requirements?|prerequisites?)$/i,
    examples: ["Under which conditions may I sublet?", "What is the requirement for the course?"],
  },
  {
    name: "what-if",
    asks: /\bwhat (?:happens?|(?:will|would|could|can|might) happen|if)\b|\bwhat are the consequences\b/i,
    implied: /^(?:happens?|consequences?)$/i,
    examples: [
      "What happens if I lose it?",
      "What if nobody comes?",
      "What happens if the memory is full?",
      "What could happen to our money?",
    ],
  },
];

/** Types of questions that no word asks for, or that begin with a verb. */
const BY_FORM: readonly QuestionType[] = [
  {
    name: "permission",
    asks: anyOf(
      /^(?:may|can|could|am|are|is|isn't|aren't|can't)\b.*\b(?:allowed|permitted|forbidden|ok|okay|may)\b|^may\b|^(?:can|can't) (?:i|we|you|one|my|guests?|visitors?|members?|tenants?|patients?)\b/,
      /^(?:is it|it is|it's|isn't it|it isn't|it's not|it is not) (?:a problem|ok|okay|fine|all ?right|legal|allowed|permitted|forbidden|possible|necessary|required|compulsory|mandatory) (?:to|if|for|that)\b/,
      /^(?:must|need) (?:i|we|you|one|the|an?|my|our|\p{L}+s)\b|^(?:do|does) (?:i|we|one|you|\p{L}+s|(?:the|my|our|an?) \p{L}+) (?:have to|need)\b|^(?:is|are|isn't|aren't)\b.*\b(?:compulsory|mandatory|obligatory|required|necessary|possible|voluntary|optional)\b/u,
    ),
    implied:
      /^(?:allowed|permitted|forbidden|ok|okay|problem|possible|necessary|required|compulsory|mandatory|voluntary|optional)$/i,
    examples: [
      "May I bring a dog?",
      "Isn't smoking allowed here?",
      "If it rains, may I leave early?",
      "May she swim alone?",
      "I am abroad then, may my brother sign?",
      "Is it possible to pay in two parts?",
      "Do I have to register the dog?",
      "Is the course compulsory?",
    ],
  },
  {
    name: "yes-no",
    asks: /^(?:(?:and|but|so|then|also) )?(?:am|may|might|is|are|was|were|do|does|did|has|have|had|can|could|will|would|shall|should|must|need|isn't|aren't|wasn't|don't|doesn't|didn't|can't|won't|shouldn't)\b/i,
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
      /\bwhat (?:does|do|did) .+ (?:mean|stand for|denote|indicate|represent)\b|\bdefine\b|\bwhat is meant (?:by|with)\b|\bwhat do (?:you|they|we) mean (?:by|with)\b|\bwhat counts as\b|\bwhat do (?:you|they|we) call\b/,
      new RegExp(
        `^what(?:['’]s| is| are) (?:an? |the )?${CONTENT_WORD}(?: ${CONTENT_WORD})?\\W*$|^what(?:['’]s| is| are) ["“'‘][^"”]+["”'’]`,
      ),
      asked("definition|meaning"),
    ),
    implied: /^(?:mean|meaning|definition|term|counts?)$/i,
    examples: [
      "What does RSC mean?",
      "What is a soft reset?",
      "What is a fee?",
      "What are kelim knots?",
      "What on earth is a kelim?",
      "What counts as a large dog?",
      "What exactly is meant by mulching?",
    ],
  },
  {
    name: "statement",
    asks: /^/,
    examples: ["My lamp is red.", "red lamp", "How does it affect the price?"],
  },
];

/** The types: first by how a question begins, then by the value that it asks for. */
export const QUESTION_TYPES: readonly QuestionType[] = [
  ...BY_BEGINNING,
  ...TIME_TYPES,
  ...VALUE_TYPES,
  ...BY_FORM,
];
