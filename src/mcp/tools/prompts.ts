// The tools for prompts.

import { LIMITS } from "../../kernel/limits.ts";
import { DELETED, deleteRecord } from "./delete.ts";
import { partOf } from "./budget.ts";
import { bold, day, facts, indented, listed, oneLine, paragraphs } from "./markdown.ts";
import { pageText } from "./page.ts";
import {
  anyTags,
  NUMBER,
  TEXT,
  cursor,
  listLimit,
  maxTokens,
  offset,
  oneOf,
  promptId,
  tags,
  tagsQuery,
  text,
  texts,
} from "./shapes.ts";
import type { ArgumentSchema, Tool } from "./tool.ts";
import { versionIdOf, versionsText } from "./versions.ts";

const variables: ArgumentSchema = {
  type: "array",
  items: {
    type: "object",
    properties: {
      name: text("as in the template"),
      type: oneOf(["string", "number", "boolean"], "of its value"),
      description: text("what to fill in"),
    },
    required: ["name", "type"],
    additionalProperties: false,
  },
  description: "one for each placeholder",
};
// biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders look like this
const content = text("template; placeholders look like ${name}");

export const searchPrompts: Tool = {
  name: "search_prompts",
  title: "List prompts",
  description: "List prompt templates, newest first. By topic use find_items.",
  arguments: {
    search: text("part of title or description"),
    tags: anyTags,
    limit: listLimit,
    cursor,
    maxTokens,
  },
  required: [],
  behaviour: { readOnly: true, idempotent: true },
  operation: "prompts.list",
  async handle({ arguments: { search, tags, limit, cursor }, room, run }) {
    const listing = await pageText({
      call: { query: { q: search, tags: tagsQuery(tags), limit, cursor } },
      run,
      toText: (row) => {
        const title = `- ${bold(row.title)}${facts(
          `promptId: ${row.id}`,
          listed("tags", row.tags),
          day(row.updatedAt),
        )}`;
        return row.description ? `${title}\n${indented(oneLine(row.description))}` : title;
      },
      noun: "prompt",
      whenEmpty: "No prompt matches. Omit filters, or use find_items with type prompts.",
      repeat: "search_prompts, same filters,",
      room,
    });
    return { text: listing };
  },
};

const MAX_PLACEHOLDERS = 50;

/** The declared placeholders, or undefined without any. */
function placeholdersText(
  variables: readonly { name: string; type: string; description?: string }[],
): string | undefined {
  if (variables.length === 0) return undefined;
  const lines = variables
    .slice(0, MAX_PLACEHOLDERS)
    .map(
      ({ name, type, description }) =>
        `- \${${oneLine(name)}} (${type})${description ? `: ${oneLine(description)}` : ""}`,
    );
  const omitted = variables.length - lines.length;
  return `Placeholders:\n${lines.join("\n")}${omitted > 0 ? `\n- and ${omitted} more` : ""}`;
}

export const readPrompt: Tool = {
  name: "read_prompt",
  title: "Read a prompt",
  description: "Read the template of a prompt, to follow it or to fill in its placeholders.",
  arguments: { promptId, label: text("of a version, e.g. production"), offset, maxTokens },
  required: ["promptId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "prompts.get",
  async handle({ arguments: { promptId, label, offset }, room, run }) {
    const prompt = (await run({ id: promptId, query: { label } })).body.data;
    const version = `version ${prompt.version ?? prompt.currentVersion}`;
    const known = facts(`promptId: ${promptId}`, version, prompt.label, listed("tags", prompt.tags));
    const heading = paragraphs(
      `${bold(prompt.title)}${known}`,
      oneLine(prompt.description, 1_000),
      offset === undefined && placeholdersText(prompt.variables),
    );
    return {
      text: paragraphs(heading, partOf(prompt.content, { offset, repeat: "read_prompt", heading, room })),
    };
  },
};

const WRITTEN = { title: TEXT, promptId: TEXT, version: NUMBER };

/** The result of a tool that has written a prompt. */
function written(
  what: "Stored" | "Changed" | "Restored",
  promptId: string,
  { title, currentVersion: version }: { title: string; currentVersion: number },
) {
  return {
    text: `${what} ${bold(title)} (promptId: ${promptId}, version ${version}).`,
    data: { title, promptId, version },
  };
}

export const createPrompt: Tool = {
  name: "create_prompt",
  title: "Store a prompt",
  description: "Store a new prompt template. Search with find_items first.",
  arguments: {
    title: text("what a reader would look for"),
    description: text("what it does, in a sentence"),
    content,
    tags,
    variables,
    collectionIds: texts("ids or names"),
    engine: text("model that it was written for; stored in its parameters"),
  },
  required: ["title", "description", "content"],
  returns: WRITTEN,
  behaviour: {},
  operation: "prompts.create",
  async handle({ arguments: { engine, ...body }, run }) {
    const sent = { ...body, ...(engine !== undefined && { parameters: { engine } }) };
    const { id, ...prompt } = (await run({ body: sent })).body.data;
    return written("Stored", id, prompt);
  },
};

export const updatePrompt: Tool = {
  name: "update_prompt",
  title: "Change a prompt",
  description: "Change the fields of a prompt that are sent. A new content is stored as a new version.",
  arguments: {
    promptId,
    title: text("the new one"),
    description: text("the new one"),
    content,
    tags,
    variables,
    changeLog: text("why"),
  },
  required: ["promptId"],
  returns: WRITTEN,
  behaviour: { idempotent: true },
  operation: "prompts.update",
  async handle({ arguments: { promptId, ...body }, run }) {
    return written("Changed", promptId, (await run({ id: promptId, body })).body.data);
  },
};

export const deletePrompt: Tool = {
  name: "delete_prompt",
  title: "Delete a prompt",
  description: "Delete a prompt with all its versions, permanently.",
  arguments: { promptId },
  required: ["promptId"],
  returns: DELETED,
  behaviour: { destructive: true, idempotent: true },
  operation: "prompts.delete",
  handle: (call) => deleteRecord(call, { id: call.arguments.promptId, noun: "prompt" }),
};

export const getPromptVersions: Tool = {
  name: "get_prompt_versions",
  title: "List the versions of a prompt",
  description: "List the versions of a prompt, newest first. restore_prompt_version brings one back.",
  arguments: { promptId, limit: listLimit, cursor },
  required: ["promptId"],
  behaviour: { readOnly: true, idempotent: true },
  operation: "prompts.versions",
  async handle({ arguments: { promptId, limit = LIMITS.list.defaultLimit, cursor }, room, run }) {
    return { text: await versionsText({ run, id: promptId, limit, cursor, room, noun: "prompt" }) };
  },
};

export const restorePromptVersion: Tool = {
  name: "restore_prompt_version",
  title: "Restore a version of a prompt",
  description:
    "Make an earlier version of a prompt the current one, as a new version. get_prompt_versions lists them.",
  arguments: { promptId, versionId: text("id or number of the version") },
  required: ["promptId", "versionId"],
  returns: WRITTEN,
  behaviour: {},
  operation: "prompts.restore",
  async handle({ arguments: { promptId: id, versionId: version }, run, also }) {
    const versionId = await versionIdOf({ also, list: "prompts.versions", id, version });
    return written("Restored", id, (await run({ id, body: { versionId } })).body.data);
  },
};
