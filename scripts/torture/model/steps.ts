// The steps of a model run, as plain data that a test can keep, and how they are generated.

import fc from "fast-check";
import * as collections from "./collections.ts";
import * as coordination from "./coordination.ts";
import * as documents from "./documents.ts";
import { exchange, type World } from "./exchange.ts";
import * as prompts from "./prompts.ts";
import * as searching from "./searching.ts";

const VERBS = {
  ...{ createDocument: documents.createDocument, patchDocument: documents.patchDocument },
  ...{ restoreDocument: documents.restoreDocument, deleteDocument: documents.deleteDocument },
  ...{ readDocument: documents.readDocument, listDocuments: documents.listDocuments },
  ...{ setPolicy: coordination.setPolicy, readCoordination: coordination.readCoordination },
  ...{ changeLease: coordination.changeLease },
  ...{ createPrompt: prompts.createPrompt, patchPrompt: prompts.patchPrompt },
  ...{ restorePrompt: prompts.restorePrompt, deletePrompt: prompts.deletePrompt },
  ...{ readPrompt: prompts.readPrompt, listPrompts: prompts.listPrompts },
  ...{ createCollection: collections.createCollection, patchCollection: collections.patchCollection },
  ...{ deleteCollection: collections.deleteCollection, readCollection: collections.readCollection },
  ...{ changeItems: collections.changeItems, listCollections: collections.listCollections },
  ...{ createSession: searching.createSession, searchChunks: searching.searchChunks },
  ...{ searchLiterally: searching.searchLiterally, walk: searching.walk },
  sendAgain,
  async advance({ clock }: World, { ms }: { ms: number }) {
    clock.advance(ms);
  },
};

type Verb = keyof typeof VERBS;
/** A step: the name of its verb, and what the verb takes. */
export type Step = { [Name in Verb]: { do: Name } & Parameters<(typeof VERBS)[Name]>[1] }[Verb];

/** Sends a request and compares the reply with the model. Throws an AssertionError if they differ. */
export async function take(world: World, step: Step): Promise<void> {
  const verb = VERBS[step.do] as (world: World, step: unknown) => Promise<void>;
  await verb(world, step);
}

/**
 * Sends an earlier request with an idempotency key once more: unchanged, with another body, or with another credential.
 */
async function sendAgain(
  world: World,
  { back, change }: { back: number; change?: "body" | "credential" | "user" },
): Promise<void> {
  const earlier = world.keyed.at(-1 - (back % Math.max(world.keyed.length, 1)));
  if (!earlier) return;
  const { ask, decide } = earlier;
  const by = change === "user" ? 2 : change === "credential" ? (ask.by === 0 ? 1 : 0) : ask.by;
  const body = change === "body" ? { ...(ask.body as object), unknownMember: 1 } : ask.body;
  await exchange(world, { ...ask, by, body }, decide);
}

const pick = fc.nat(47);
const by = fc.constantFrom<0 | 1 | 2>(0, 0, 0, 0, 0, 1, 1, 2);
/** Few enough keys that some are used twice. */
const key = fc.option(
  fc.nat(24).map((number) => `key ${number}`),
  { nil: undefined, freq: 2 },
);
const picks = (maxLength: number) => fc.array(fc.nat(7), { maxLength });

const word = fc.constantFrom("tea", "Kettle", "water", "Äpfel", "bread", "oven", "salt", "Honig");
const sentence = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));
const markdown = fc
  .array(fc.tuple(fc.constantFrom("", "# ", "- ", "> "), sentence), { maxLength: 4 })
  .map((blocks) => blocks.map(([mark, text]) => mark + text).join("\n\n"));
const tags = fc.array(fc.constantFrom("a", "b", "A", " a ", "ä", "a\u0308"), { maxLength: 3 });
const tagFilter = fc.constantFrom("a", "b", " a , b,,", "ä", "none");
const workspace = fc.constantFrom("w1", "w2");

/** A record whose members are valid most of the time, and now and then one of them is not. */
function bodyOf(
  members: Record<string, fc.Arbitrary<unknown>>,
  { required = [], wrong }: { required?: string[]; wrong: Record<string, unknown[]> },
): fc.Arbitrary<documents.Body> {
  const valid = fc.record(members, { requiredKeys: required });
  const flaws = Object.entries(wrong).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  const flawed = fc.tuple(valid, fc.constantFrom(...flaws)).map(([body, flaw]) => ({ ...body, ...flaw }));
  return fc.oneof({ weight: 9, arbitrary: valid }, { weight: 1, arbitrary: flawed });
}

const WRONG_TAGS = [["a,b"], [""], "a", null];
const documentMembers = {
  ...{ title: sentence, content: markdown, tags },
  contentHtml: fc.constantFrom("<p>tea</p>", "<b>"),
  rawHtml: fc.constantFrom("<html>", ""),
  sourceUrl: fc.constantFrom("https://tea.example/a", "http://oven.example/?b#c"),
  metadata: fc.constantFrom({}, { a: 1 }, { b: [null, { c: "d" }] }),
};
const newDocument = bodyOf(
  { ...documentMembers, workspaceId: workspace },
  {
    required: ["title", "content"],
    wrong: { title: ["", " ", null, 5, undefined, "a\0b"], content: [null, undefined], tags: WRONG_TAGS },
  },
);
const documentChange = bodyOf(
  {
    ...documentMembers,
    contentHtml: fc.constantFrom("<p>tea</p>", null),
    sourceUrl: fc.constantFrom("https://tea.example/a", null),
    changeLog: sentence,
    status: fc.constantFrom("draft", "published", "archived"),
  },
  {
    wrong: {
      ...{ title: [" ", null], content: [null, 5], tags: WRONG_TAGS, metadata: [null, []] },
      ...{ status: ["completed", "", null], sourceUrl: ["tea", ""], changeLog: [null, 1] },
    },
  },
);
const promptMembers = {
  ...{ title: sentence, description: fc.oneof(sentence, fc.constant("")), content: sentence, tags },
  isPublic: fc.boolean(),
  variables: fc.constantFrom([], [{ name: "v", type: "string" }]),
  parameters: fc.constantFrom({}, { p: 1 }),
};
const WRONG_PROMPT = { title: ["", null], content: [" ", null], tags: WRONG_TAGS, isPublic: ["true", null] };
const newPrompt = bodyOf(
  { ...promptMembers, workspaceId: workspace },
  {
    required: ["title", "description", "content"],
    wrong: { ...WRONG_PROMPT, description: [null, undefined] },
  },
);
const promptChange = bodyOf({ ...promptMembers, changeLog: sentence }, { wrong: WRONG_PROMPT });
const collectionMembers = {
  ...{ name: sentence, description: sentence, tags, isPublic: fc.boolean() },
  color: fc.constantFrom("#abc", "#00FF7f"),
  icon: fc.constantFrom("🍵", "👩‍🍳", "x"),
};
const WRONG_COLLECTION = {
  ...{ name: [" ", null], tags: WRONG_TAGS, color: ["red", "#ab"], icon: ["", "ab"], isPublic: [1, null] },
};
const newCollection = bodyOf(
  { ...collectionMembers, workspaceId: workspace },
  { required: ["name"], wrong: WRONG_COLLECTION },
);
const collectionChange = bodyOf(collectionMembers, { wrong: WRONG_COLLECTION });

const conditions = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ match: "current", lease: "held" } as const) },
  { weight: 3, arbitrary: fc.constant({}) },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        match: fc.constantFrom("current", "stale", "any", "weak"),
        revision: fc.constantFrom("current", "stale"),
        lease: fc.constantFrom("held", "old", "wrong", "id only", "fence only"),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<coordination.Preconditions>,
  },
);
const match = fc.constantFrom("current", "current", "current", "stale", "any", "weak", undefined);
const ttlMs = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(undefined, 1_000, 30_000, 60_000, 3_600_000) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(999, 3_600_001, 1.5, "5", null) },
);
const SECOND = 1000;
const elapsed = fc.constantFrom(0.5, 1, 1, 10, 29, 30, 60, 600, 3_600, 43_200, 86_399, 86_400);

/** A step with these members: those given as undefined are left out, so that the data of a step is short. */
function step<Name extends Verb>(
  name: Name,
  members: Record<string, fc.Arbitrary<unknown>>,
): fc.Arbitrary<Step> {
  return fc.record(members).map((values) => {
    const present = Object.entries(values).filter(([, value]) => value !== undefined);
    return { do: name, ...Object.fromEntries(present) } as unknown as Step;
  });
}

const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const filterOf = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
const inDocument = { by, document: pick };
const inPrompt = { by, prompt: pick };
const inCollection = { by, collection: pick };

const CHOICES: [number, fc.Arbitrary<Step>][] = [
  [4, step("createDocument", { by, body: newDocument, into: picks(2), key })],
  [8, step("patchDocument", { ...inDocument, body: documentChange, key, conditions })],
  [
    3,
    step("restoreDocument", {
      ...inDocument,
      version: pick,
      of: fc.option(pick, { nil: undefined, freq: 9 }),
      key,
      conditions,
    }),
  ],
  [1, step("deleteDocument", { ...inDocument, conditions })],
  [3, step("readDocument", inDocument)],
  [
    2,
    step("listDocuments", {
      by,
      filter: filterOf({
        ...{ search: word, tags: tagFilter, workspace, collection: pick },
        status: fc.constantFrom("draft", "published", "archived"),
        includeArchived: fc.boolean(),
        includeContent: fc.boolean(),
      }),
    }),
  ],
  [3, step("setPolicy", { ...inDocument, on: fc.constantFrom(true, true, true, false), match })],
  [2, step("readCoordination", inDocument)],
  [
    6,
    step("changeLease", {
      ...inDocument,
      action: fc.constantFrom("acquire", "acquire", "renew", "release"),
      ...{ ttlMs, key, lease: fc.constantFrom("held", "held", "held", "old", "wrong", "id only", undefined) },
    }),
  ],
  [2, step("createPrompt", { by, body: newPrompt, into: picks(2), key })],
  [4, step("patchPrompt", { ...inPrompt, body: promptChange })],
  [2, step("restorePrompt", { ...inPrompt, version: pick })],
  [1, step("deletePrompt", inPrompt)],
  [2, step("readPrompt", inPrompt)],
  [1, step("listPrompts", { by, filter: filterOf({ q: word, tags: tagFilter, workspace }) })],
  [2, step("createCollection", { by, body: newCollection, parent: optional(pick) })],
  [2, step("patchCollection", { ...inCollection, body: collectionChange })],
  [1, step("deleteCollection", inCollection)],
  [2, step("readCollection", inCollection)],
  [
    4,
    step("changeItems", {
      ...inCollection,
      ...{ action: fc.constantFrom("add", "add", "remove"), itemType: fc.constantFrom("document", "prompt") },
      items: picks(3),
    }),
  ],
  [1, step("listCollections", { by, filter: filterOf({ search: word, tags: tagFilter, workspace }) })],
  [
    2,
    step("createSession", { by, ttl: fc.constantFrom<unknown>(undefined, undefined, 60, 86_400, 59, "60") }),
  ],
  [
    3,
    step("searchChunks", {
      ...{ by, query: word, limit: fc.integer({ min: 1, max: 5 }) },
      ...{ session: optional(pick), document: fc.option(pick, { nil: undefined, freq: 3 }) },
    }),
  ],
  [
    2,
    step("searchLiterally", {
      by,
      q: fc.oneof(word, fc.constantFrom("ETTL", "äp", "%", "_")),
      tags: optional(tagFilter),
      isSettled: fc.boolean(),
    }),
  ],
  [
    4,
    step("walk", {
      ...{ by, list: fc.constantFrom("documents", "prompts", "collections") },
      limit: fc.integer({ min: 1, max: 3 }),
    }),
  ],
  [
    4,
    step("sendAgain", {
      back: fc.nat(5),
      change: fc.constantFrom(undefined, undefined, "body", "credential", "user"),
    }),
  ],
  [3, step("advance", { ms: elapsed.map((seconds) => seconds * SECOND) })],
];

/** The steps to choose from; each is listed as often as it weighs. */
export const STEPS: fc.Arbitrary<Step>[] = CHOICES.flatMap(([weight, choice]) => Array(weight).fill(choice));
