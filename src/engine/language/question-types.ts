// What questions ask for: one row per type with what asks for it, which values or words of a text state it, and examples
// that a test asks. The first matching row counts; see typeOf.

import {
  anyOf,
  asked,
  AUXILIARY,
  CONTENT_WORD,
  DETERMINER,
  first,
  NAME,
  NO_NAME,
  PERSON,
  PHRASE_ENDS,
  PLACE,
  PLURAL,
  PREPOSITION,
} from "./grammar.ts";
import { TIME_TYPES } from "./time-types.ts";
import { VALUE_TYPES } from "./value-types.ts";

/** How a question is answered: by one statement, by a whole list or code block, or by all items of a list. */
type Form = "statement" | "procedure" | "all";

export interface QuestionType {
  name: string;
  asks: RegExp;
  /** Sorts of values of which an answer contains one; see Value. */
  values?: readonly string[];
  /** Those of them that a text can also contain without being an answer. */
  unsure?: readonly string[];
  /** Words that an answer contains as surely as a value. What the question contains itself does not count. */
  states?: RegExp;
  /** Whether these words must contain a word of the question: a definition begins with what it defines. */
  isOfTopic?: boolean;
  /** Words that only make it more probable that a text is an answer. */
  hints?: RegExp;
  /** Headers of columns whose cells are answers. */
  headers?: RegExp;
  form?: Form;
  /** Words of the question that an answer need not contain, because they only name what is asked for. */
  implied?: RegExp;
  examples: readonly string[];
}

const PHONE =
  "(?:\\+|\\b)\\d[\\d ()/.–-]{4,}\\d\\b|\\b(?:number|extension|ext|tel|dial|call|ring|phone)\\b\\W{0,2}(?:\\w+ ){0,2}\\d{3,}\\b";

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
    states: new RegExp(PHONE, "i"),
    hints: /\b(?:call|ring|phone|dial|contact|write to)\b|\S@\S+\.\S/i,
    headers: /\b(?:phone|telephone|mobile|fax|tel|extension|contact)\b/i,
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
    states:
      /\S@\S+\.\S|https?:\/\/|\bwww\.|\b[\w-]+\.(?:com|org|net|example|[a-z]{2})\b\/?|\b\d{1,4}\w? (?-i:\p{Lu})\p{L}+|\b(?-i:\p{Lu})\p{L}+(?:street|straße|strasse|weg|platz|laan|gata)? \d{1,4}\b(?! ?[%°€$£.:\p{Ll}])/iu,
    headers: /\b(?:e-?mail|web|web ?site|url|address|street)\b/i,
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
    states: new RegExp(
      `\\b${PERSON} (?:with|without|who|whose|that|from|in|on|of|over|under|above|below|named|having)(?: [\\p{L}\\d]+){1,4}|\\b${PERSON}\\b|${NAME}|\\b(?:those|anyone|everyone|whoever|all|he|she) (?:who|with)\\b|^you (?:are|may|can|must)\\b.*\\bif\\b|^(?:only )?\\p{L}+ed (?:is|has) who\\b`,
      "iu",
    ),
    hints: /^(?:he|she|they)\b/i,
    headers: new RegExp(
      `\\b(?:who|whom|by|responsible|names?|contact|initials|role|function|decides|training|${PERSON})\\b`,
      "i",
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
    states: new RegExp(
      `\\b(?:in|at|on|to|under|behind|near|next to|beside|inside|opposite|above|below|between|into|onto|from|through|by|via) (?:(?!(?:at|in|on|to|of|for)\\b)[\\p{L}\\d'’.-]+ ){0,3}?${PLACE}\\b|\\b(?:in|at|near|next to|behind|opposite|into) (?:the )?(?-i:${NO_NAME}\\p{Lu}\\p{L}+)` +
        `|\\b(?:room|floor|level|rack|shelf|bay|gate|platform|building|drawer|cabinet|aisle) [A-Z]?\\d|\\b(?:outside|indoors|outdoors|upstairs|downstairs|abroad|everywhere|nowhere)\\b|(?<!\\w)[\\w.~-]*/\\w[\\w./-]+|\\b[A-Z]:\\\\\\w`,
      "iu",
    ),
    hints:
      /\b(?:in|at|on|under|behind|near|next to|beside|inside|opposite|above|below|between|into|onto) (?!(?:\d|least|most|once|request|time|advance|writing|case|total|cash|order|addition|the (?:latest|end|same|first|next|last|morning|evening|afternoon)|(?:jan|febr|march|april|may|june|july|august|sept|octo|novem|decem))\w*\b)(?:[^\s,;.]+ ?){1,3}/i,
    headers: new RegExp(`\\b(?:where|places?|location|venue|address|path|unit|post|${PLACE})\\b`, "i"),
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
    states:
      /\b(?:because|since|due to|owing to|so that|in order to|caused?|reasons?|therefore|otherwise|as a result|to (?:avoid|prevent|protect|keep|make sure)|thanks to|that is why|would|as (?:it|they|the|we|this|nobody|there) )|\p{L}(?:[:;]| [–—]) (?:the|an?|it|they|we|you|this|these|nobody|there|if|in|otherwise)\b/iu,
    hints: /, which\b|\btoo\b|\p{L} [–—] \p{L}|\p{L}[:;] \p{L}/iu,
    headers: /\b(?:why|reasons?|causes?)\b/i,
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
    states:
      /`[^`]+`|\b(?:you|we|one|members?|users?) (?:first |then |also |only )?(?:can|must|should|need to|have to)\b|^you \p{L}{3,} (?!\p{L}+ed\b)|\bby (?!(?:some|any|no|every)thing\b)\p{L}{3,}ing\b/iu,
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
    states:
      /\b(?:if|provided|providing|as long as|so long as|on condition|unless|except|only|when|must|needs?|required?|has to|have to|at least|at most)\b/i,
    headers: /\b(?:conditions?|requirements?|if|needs?)\b/i,
    implied: /^(?:conditions?|circumstances|requirements?|prerequisites?)$/i,
    examples: ["Under which conditions may I sublet?", "What is the requirement for the course?"],
  },
  {
    name: "what-if",
    asks: /\bwhat (?:happens?|(?:will|would|could|can|might) happen|if)\b|\bwhat are the consequences\b/i,
    states:
      /\b(?:if|when|whoever|otherwise|in case|in that case|anyone who|without|until|unless|as soon as|once|after|late)\b/i,
    hints: /\b(?:then|will|must|loses?|gets?|has|have|pays?|costs?|is|are|who)\b/i,
    headers: /\b(?:what happens|consequences?|penalty|action|when|exceeded|what to do|measure)\b/i,
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
    states:
      /\b(?:may|must|can|cannot|can't|allowed|permitted|forbidden|prohibited|banned|welcome|entitled|only|never|(?:have|has|needs?|obliged) to|do(?:es)? not (?:have|need)|need not|need (?:no|an?) |required|mandatory|compulsory|obligatory|voluntary|optional|(?:un)?necessary|(?:im)?possible|without|(?:requires?|needs?) (?:\p{L}+(?:['’]s)? ){0,4}?(?:consent|permission|approval|licen[cs]e)|\p{L}+(?:ferable|fundable|newable))\b|^(?:yes|no)(?=[,.:])/iu,
    hints: /\b(?:no|not)\b/i,
    headers: /\b(?:allowed|permitted|may|can|required|needed|compulsory|mandatory|consent)\b/i,
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
    states:
      /(?:^|\n| {2}|[,;|])\s*[\p{L}\p{N}-]+(?: {2,}| ?= ?)\S|^["“'‘(]{0,2}(?:an? |the )?(?:[\p{L}\p{N}./'’-]+ ){0,4}[\p{L}\p{N}./'’-]+["”'’)]{0,2}(?: \([^)]*\))?,?(?:[:.] | [–—=-] | (?:here |also |only )?(?:is|are|means?|stands? for|refers? to|describes?|counts?|shows?|marks?|indicates?|denotes?|represents?)\b)|\b(?:called|known as|so-called|namely)\b|\bmeans?\b/iu,
    isOfTopic: true,
    hints: /\b(?:that is|i\.e\.|in other words)(?=\W)/i,
    headers: /\b(?:word|term|abbreviation|meaning|means?|definition|stands for)\b/i,
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
