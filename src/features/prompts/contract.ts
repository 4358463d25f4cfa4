// The wire shapes of prompts.

import { type Static, Type } from "@sinclair/typebox";
import { anyObject, count, flag, id, instant, text, texts } from "../../http/answers.ts";
import { includePublic, tagFilter, workspaceFilter } from "../../http/filters.ts";
import { pageParameters } from "../../http/pagination.ts";
import {
  boundedList,
  filledText,
  filterText,
  freeObject,
  label,
  longText,
  shortText,
  stated,
  tagList,
} from "../../http/shape.ts";
import type { FieldProblem } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutUnits } from "../../kernel/text.ts";
import type { ListedPrompt } from "../../retrieval/lists/prompts.ts";
import type { PromptRow, VersionRow } from "./store.ts";

const variable = Type.Object({
  name: Type.String({ minLength: 1, ...stated({ "x-not-blank": true, "x-no-nul": true }) }),
  type: Type.Union([Type.Literal("string"), Type.Literal("number"), Type.Literal("boolean")]),
  description: Type.Optional(Type.String()),
});
type Variable = Static<typeof variable>;

function variableProblems(variables: Variable[], path: string): FieldProblem[] {
  return variables.flatMap(({ name }, index) => {
    const message =
      name.trim() === "" ? "must not be blank" : name.includes("\0") ? "must not contain NUL" : undefined;
    return message === undefined ? [] : [{ path: `${path}.${index}.name`, message }];
  });
}

/** Variables as they are stored: members that a variable does not have are ignored. */
export function variablesFromWire(given: Variable[]): Variable[] {
  return given.map(({ name, type, description }) => ({
    name,
    type,
    ...(description !== undefined && { description }),
  }));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders look like this
const TEMPLATE = "Review this diff with ${focus} in mind:\n\n${diff}";

/** What POST and PATCH have in common. */
const optionalMembers = {
  tags: Type.Optional(tagList()),
  variables: Type.Optional(boundedList(variable, LIMITS.variables.bytes, variableProblems)),
  parameters: Type.Optional(freeObject(LIMITS.parameters.bytes)),
  isPublic: Type.Optional(Type.Boolean()),
};
const title = shortText(LIMITS.title.bytes);
const description = longText(LIMITS.description.bytes);
const content = filledText(LIMITS.prompt.contentBytes);

export const createPromptBody = Type.Object(
  {
    title,
    description,
    content,
    ...optionalMembers,
    collectionIds: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.collection.itemIds })),
    workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
  },
  {
    examples: [
      {
        title: "Review a pull request",
        description: "Finds what a careful reader would ask about",
        content: TEMPLATE,
        tags: ["review"],
        variables: [{ name: "diff", type: "string" }],
      },
    ],
  },
);
export type CreatePrompt = Static<typeof createPromptBody>;

export const patchPromptBody = Type.Object(
  {
    title: Type.Optional(title),
    description: Type.Optional(description),
    content: Type.Optional(content),
    ...optionalMembers,
    changeLog: Type.Optional(longText(LIMITS.description.bytes)),
  },
  { examples: [{ title: "Review a change", isPublic: true }] },
);
export type PatchPrompt = Static<typeof patchPromptBody>;

export const restorePromptBody = Type.Object({ versionId: Type.String({ examples: id.examples }) });

export const listPromptsQuery = Type.Object({
  ...pageParameters(),
  workspace: workspaceFilter,
  includePublic,
  q: Type.Optional(filterText("title or description")),
  search: Type.Optional(filterText("title or description (as `q`)")),
  tags: tagFilter,
});

export const listVersionsQuery = Type.Object(pageParameters(LIMITS.versions.defaultLimit));

export const promptShape = Type.Object(
  {
    id,
    title: text("Review a pull request"),
    description: text("Finds what a careful reader would ask about"),
    content: text(TEMPLATE),
    tags: texts("review"),
    variables: Type.Array(variable, { examples: [[{ name: "diff", type: "string" }]] }),
    parameters: anyObject({ temperature: 0.2 }),
    isPublic: flag(false),
    isArchived: flag(false),
    currentVersion: count(1),
    stats: Type.Object({ views: count(12), copies: count(0) }),
    workspaceId: Type.Optional(text("platform-team")),
    createdAt: instant,
    updatedAt: instant,
  },
  { $id: "Prompt" },
);

/** A prompt as it is shown. `uncounted` views have not reached the row yet. */
export function promptToWire(row: PromptRow, uncounted: number): Static<typeof promptShape> {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    content: row.content,
    tags: row.tags,
    variables: row.variables,
    parameters: row.parameters,
    isPublic: row.isPublic,
    isArchived: row.isArchived,
    currentVersion: row.currentVersion,
    stats: { views: row.views + uncounted, copies: row.copies },
    workspaceId: row.workspaceId ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const listedPromptShape = Type.Omit(
  promptShape,
  ["variables", "parameters", "isArchived", "createdAt"],
  { $id: "ListedPrompt" },
);

/** A list item; its content was cut already. */
export function listedToWire(row: ListedPrompt, uncounted: number): Static<typeof listedPromptShape> {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    content: row.content,
    tags: row.tags,
    isPublic: row.isPublic,
    currentVersion: row.currentVersion,
    stats: { views: row.views + uncounted, copies: row.copies },
    workspaceId: row.workspaceId ?? undefined,
    updatedAt: row.updatedAt,
  };
}

/** The answer of a restore leaves the tags out. */
export const restoredPromptShape = Type.Omit(promptShape, ["tags"], { $id: "RestoredPrompt" });

export const promptVersionShape = Type.Object(
  {
    id,
    versionId: id,
    version: count(1),
    content: promptShape.properties.content,
    preview: promptShape.properties.content,
    changeLog: Type.Optional(text("one variable less")),
    userName: Type.Optional(text("ada@example.org")),
    createdAt: instant,
    createdBy: Type.Optional(text("ada@example.org")),
  },
  { $id: "PromptVersion" },
);

/** A version row in both declared spellings. */
export function versionToWire(row: VersionRow): Static<typeof promptVersionShape> {
  const userName = row.userName ?? undefined;
  return {
    id: row.id,
    versionId: row.id,
    version: row.version,
    content: row.content,
    preview: cutUnits(row.content, LIMITS.versions.previewCharacters),
    changeLog: row.changeLog ?? undefined,
    userName,
    createdAt: row.createdAt,
    createdBy: userName,
  };
}
