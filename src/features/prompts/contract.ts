// The wire shapes of prompts.

import { type Static, Type } from "@sinclair/typebox";
import { pageParameters } from "../../http/pagination.ts";
import {
  boundedList,
  filledText,
  filterText,
  freeObject,
  label,
  longText,
  shortText,
  tagList,
} from "../../http/shape.ts";
import type { FieldProblem } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutUnits } from "../../kernel/text.ts";
import type { ListedPrompt } from "../../retrieval/prompt-list.ts";
import type { PromptRow, VersionRow } from "./store.ts";

const variable = Type.Object({
  name: Type.String({ minLength: 1 }),
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

export const createPromptBody = Type.Object({
  title,
  description,
  content,
  ...optionalMembers,
  collectionIds: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.collection.itemIds })),
  workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
});
export type CreatePrompt = Static<typeof createPromptBody>;

export const patchPromptBody = Type.Object({
  title: Type.Optional(title),
  description: Type.Optional(description),
  content: Type.Optional(content),
  ...optionalMembers,
  changeLog: Type.Optional(longText(LIMITS.description.bytes)),
});
export type PatchPrompt = Static<typeof patchPromptBody>;

export const restorePromptBody = Type.Object({ versionId: Type.String() });

export const listPromptsQuery = Type.Object({
  ...pageParameters(),
  workspace: Type.Optional(Type.String()),
  includePublic: Type.Boolean({ default: false }),
  q: Type.Optional(filterText()),
  search: Type.Optional(filterText()),
  tags: Type.Optional(Type.String()),
});

export const listVersionsQuery = Type.Object(pageParameters(LIMITS.versions.defaultLimit));

/** A prompt as it is shown. `uncounted` views have not reached the row yet. */
export function promptToWire(row: PromptRow, uncounted: number): Record<string, unknown> {
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

/** A list item; its content was cut already. */
export function listedToWire(row: ListedPrompt, uncounted: number): Record<string, unknown> {
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

/** A version row in both declared spellings. */
export function versionToWire(row: VersionRow): Record<string, unknown> {
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
