// Prompts in the model: creation, changes, versions, restore, deletion, lists and visibility, as the specification
// describes them.

import assert from "node:assert/strict";
import type { Reply } from "../../../test/helpers/start.ts";
import { areTags, type Body } from "./documents.ts";
import { compareMembers, exchange, type Outcome, rejected, type World } from "./exchange.ts";
import {
  type Actor,
  chosen,
  contains,
  dropFromCollections,
  hasTags,
  ownOf,
  type Prompt,
  type PromptFields,
  storedTags,
  UNKNOWN_ID,
  userOf,
} from "./records.ts";

const isText = (value: unknown): value is string => typeof value === "string";
const isFilled = (value: unknown) => isText(value) && value.trim() !== "";

const RULES: Record<string, (value: unknown) => boolean> = {
  title: isFilled,
  description: isText,
  content: isFilled,
  tags: areTags,
  isPublic: (value) => typeof value === "boolean",
  changeLog: isText,
  variables: Array.isArray,
  parameters: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

const isValid = (body: Body): boolean =>
  Object.entries(body).every(([name, value]) => RULES[name]?.(value) ?? true);
const idOf = (record: { id: string } | undefined): string => record?.id ?? UNKNOWN_ID;

/** The outcome for a prompt that cannot be changed by this user, or undefined. */
function refusalFor(prompt: Prompt | undefined, by: Actor): Outcome | undefined {
  if (!prompt || prompt.isGone) return rejected(404);
  if (prompt.user === userOf(by)) return undefined;
  return rejected(prompt.isPublic ? 403 : 404);
}

export async function createPrompt(
  world: World,
  step: { by: Actor; body: Body; into: number[]; key?: string },
): Promise<void> {
  const collections = step.into.map((pick) => chosen(world.records.collections, pick));
  const body = { ...step.body, ...(step.into.length > 0 && { collectionIds: collections.map(idOf) }) };
  // The key is ignored: prompts have no receipts.
  const ask = { by: step.by, operation: "POST /v1/prompts", path: "/v1/prompts", body, key: step.key };
  await exchange(world, ask, ({ by }): Outcome => {
    const { title, description, content } = step.body;
    if (!isFilled(title) || !isText(description) || !isFilled(content) || !isValid(step.body))
      return rejected(400);
    const own = collections.map((collection) => ownOf(collection, userOf(by)));
    if (own.includes(undefined)) return rejected(404);
    return {
      status: 201,
      apply(reply) {
        const prompt = addPrompt(world, { by, reply, body: step.body });
        for (const collection of new Set(own))
          collection?.items.push({ record: prompt, itemType: "prompt", addedAt: prompt.createdAt });
      },
    };
  });
}

function addPrompt(world: World, { by, reply, body }: { by: Actor; reply: Reply; body: Body }): Prompt {
  const { content, variables = [], parameters = {} } = body as unknown as Partial<PromptFields>;
  const fields = { content: content!, variables, parameters };
  const { title, description, tags, isPublic, workspaceId } = body as unknown as Partial<Prompt>;
  const prompt: Prompt = {
    ...{ id: reply.body.data.id, user: userOf(by), createdAt: world.clock.now(), isGone: false },
    ...{
      title: title!,
      description: description!,
      tags: storedTags(tags),
      isPublic: isPublic ?? false,
      workspaceId,
      fields,
    },
    versions: [{ version: 1, fields, changeLog: null }],
  };
  assert.equal(reply.headers.get("location"), `/v1/prompts/${prompt.id}`);
  comparePrompt(prompt, reply);
  world.records.prompts.push(prompt);
  return prompt;
}

function comparePrompt(prompt: Prompt, reply: Reply, { withoutTags = false } = {}): void {
  const { id, title, description, tags, isPublic, workspaceId, createdAt, fields, versions } = prompt;
  const expected = {
    ...{ id, title, description, isPublic, workspaceId, createdAt, ...fields, isArchived: false },
    currentVersion: versions[0]!.version,
    tags: withoutTags ? undefined : tags,
  };
  compareMembers(reply.body.data, expected, "prompt");
}

interface PromptStep {
  by: Actor;
  prompt: number;
}

export async function patchPrompt(world: World, step: PromptStep & { body: Body }): Promise<void> {
  const prompt = chosen(world.records.prompts, step.prompt);
  const { body, by } = step;
  const ask = { by, operation: "PATCH /v1/prompts/{id}", path: `/v1/prompts/${idOf(prompt)}`, body };
  await exchange(world, ask, (): Outcome => {
    if (!isValid(body)) return rejected(400);
    const refusal = refusalFor(prompt, by);
    if (refusal) return refusal;
    return {
      status: 200,
      apply(reply) {
        applyPatch(prompt!, body);
        comparePrompt(prompt!, reply);
      },
    };
  });
}

function applyPatch(prompt: Prompt, body: Body): void {
  const { title, description, tags, isPublic, content, variables, parameters, changeLog } = body as Record<
    string,
    never
  >;
  prompt.title = title ?? prompt.title;
  prompt.description = description ?? prompt.description;
  prompt.tags = tags === undefined ? prompt.tags : storedTags(tags);
  prompt.isPublic = isPublic ?? prompt.isPublic;
  const { fields } = prompt;
  const next = {
    content: content ?? fields.content,
    variables: variables ?? fields.variables,
    parameters: parameters ?? fields.parameters,
  };
  if (!Bun.deepEquals(next, fields)) addVersion(prompt, next, changeLog);
}

function addVersion(prompt: Prompt, fields: PromptFields, changeLog?: string | null): void {
  prompt.fields = fields;
  prompt.versions.unshift({ version: prompt.versions[0]!.version + 1, fields, changeLog });
}

export async function restorePrompt(world: World, step: PromptStep & { version: number }): Promise<void> {
  const prompt = chosen(world.records.prompts, step.prompt);
  if (prompt && !prompt.isGone) await compareVersions(world, prompt, prompt.user === "other" ? 2 : 0);
  const version = prompt && chosen(prompt.versions, step.version);
  const path = `/v1/prompts/${idOf(prompt)}/restore`;
  const body = { versionId: version?.id ?? UNKNOWN_ID };
  await exchange(world, { by: step.by, operation: "POST /v1/prompts/{id}/restore", path, body }, () => {
    const refusal = refusalFor(prompt, step.by);
    if (refusal) return version ? refusal : { status: [refusal.status, 404].flat() };
    if (!version) return rejected(404);
    return {
      status: 200,
      apply(reply) {
        addVersion(prompt!, version.fields, null);
        comparePrompt(prompt!, reply, { withoutTags: true });
      },
    };
  });
}

export async function deletePrompt(world: World, step: PromptStep): Promise<void> {
  const prompt = chosen(world.records.prompts, step.prompt);
  const path = `/v1/prompts/${idOf(prompt)}`;
  await exchange(world, { by: step.by, operation: "DELETE /v1/prompts/{id}", path }, () => {
    const refusal = refusalFor(prompt, step.by);
    if (refusal) return refusal;
    return {
      status: 200,
      apply(reply) {
        assert.deepEqual(reply.body, { success: true, id: prompt!.id });
        prompt!.isGone = true;
        dropFromCollections(world.records, prompt!);
      },
    };
  });
}

/** Reads a prompt and its versions and compares them with the model. */
export async function readPrompt(world: World, { by, ...step }: PromptStep): Promise<void> {
  const prompt = chosen(world.records.prompts, step.prompt);
  const refusal = refusalFor(prompt, by);
  const path = `/v1/prompts/${idOf(prompt)}`;
  await exchange(world, { by, operation: "GET /v1/prompts/{id}", path }, () => {
    const isReadable = refusal === undefined || refusal.status === 403;
    return isReadable ? { status: 200, apply: (reply) => comparePrompt(prompt!, reply) } : rejected(404);
  });
  const ask = { by, operation: "GET /v1/prompts/{id}/versions", path: `${path}/versions` };
  if (refusal) await exchange(world, ask, () => refusal);
  else await compareVersions(world, prompt!, by);
}

async function compareVersions(world: World, prompt: Prompt, by: Actor): Promise<void> {
  const path = `/v1/prompts/${prompt.id}/versions`;
  const ask = { by, operation: "GET /v1/prompts/{id}/versions", path };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  assert.equal(body.data.length, prompt.versions.length, "number of versions");
  for (const [index, version] of prompt.versions.entries()) {
    version.id ??= body.data[index].id as string;
    const expected = {
      ...{ id: version.id, versionId: version.id, version: version.version, content: version.fields.content },
      ...(version.changeLog !== null && { changeLog: version.changeLog }),
    };
    compareMembers(body.data[index], expected, `version ${version.version}`);
  }
}

export interface PromptFilter {
  q?: string;
  tags?: string;
  workspace?: string;
}

export async function listPrompts(world: World, step: { by: Actor; filter: PromptFilter }): Promise<void> {
  const { by, filter } = step;
  const query = new URLSearchParams({ limit: "100", ...filter });
  const ask = { by, operation: "GET /v1/prompts", path: `/v1/prompts?${query}` };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  const expected = world.records.prompts
    .filter((prompt) => ownOf(prompt, userOf(by)) && hasTags(prompt.tags, filter.tags))
    .filter(({ title, description }) => [title, description].some((text) => contains(text, filter.q ?? "")))
    .filter(({ workspaceId }) => filter.workspace === undefined || workspaceId === filter.workspace)
    .reverse();
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
    "ids of the list",
  );
  for (const [index, { title, description, tags, isPublic, fields, versions }] of expected.entries()) {
    const { content } = fields;
    const item = { title, description, tags, isPublic, content, currentVersion: versions[0]!.version };
    compareMembers(body.data[index], item, "list item");
  }
}
