// The wire shapes of prompts.

import { type Static, Type } from "@sinclair/typebox";
import {
  includeMetadata,
  includePublic,
  pathFilter,
  tagFilter,
  workspaceFilter,
} from "../../http/filters.ts";
import { pageParameters } from "../../http/pagination.ts";
import {
  agent,
  anyObject,
  count,
  flag,
  id,
  instant,
  listedMetadata,
  text,
  texts,
} from "../../http/response-shapes.ts";
import {
  boundedList,
  describeRules,
  filterText,
  freeObject,
  label,
  longText,
  nonBlankText,
  recordId,
  recordIds,
  shortText,
  tagList,
  versionLabel,
} from "../../http/shape.ts";
import type { FieldProblem } from "../../kernel/errors.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutCharacters } from "../../kernel/text.ts";
import type { ListedPrompt } from "../../retrieval/search/lists/prompts.ts";
import type { PromptRow, VersionRow } from "./store.ts";

const variable = Type.Object({
  name: Type.String({ minLength: 1, ...describeRules({ "x-not-blank": true, "x-no-nul": true }) }),
  type: Type.Union([Type.Literal("string"), Type.Literal("number"), Type.Literal("boolean")]),
  description: Type.Optional(Type.String({ description: "What the variable is for." })),
});
type Variable = Static<typeof variable>;

function variableProblems(variables: Variable[], path: string): FieldProblem[] {
  return variables.flatMap(({ name }, index) => {
    const message =
      name.trim() === "" ? "must not be blank" : name.includes("\0") ? "must not contain NUL" : undefined;
    return message === undefined ? [] : [{ path: `${path}.${index}.name`, message }];
  });
}

/** Variables as they are stored, without unknown members. */
export function variablesFromWire(given: Variable[]): Variable[] {
  return given.map(({ name, type, description }) => ({
    name,
    type,
    ...(description !== undefined && { description }),
  }));
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: placeholders look like this
const TEMPLATE = "Review this diff with ${focus} in mind:\n\n${diff}";

/** The members that POST and PATCH share. */
const optionalMembers = {
  tags: Type.Optional(tagList()),
  variables: Type.Optional(boundedList(variable, LIMITS.variables.bytes, variableProblems)),
  parameters: Type.Optional(freeObject(LIMITS.parameters.bytes)),
  metadata: Type.Optional(freeObject(LIMITS.metadata.bytes)),
  isPublic: Type.Optional(Type.Boolean({ description: "Whether other users may read the prompt." })),
};
const title = shortText(LIMITS.title.bytes);
const description = longText(LIMITS.description.bytes);
const content = nonBlankText(LIMITS.prompt.contentBytes);

export const createPromptBody = Type.Object(
  {
    title,
    description,
    content,
    ...optionalMembers,
    collectionIds: Type.Optional(
      recordIds(
        LIMITS.collection.itemIds,
        "Collections to add the prompt to; all must exist and belong to the caller.",
      ),
    ),
    workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
  },
  {
    $id: "PromptCreate",
    examples: [
      {
        title: "Review a pull request",
        description: "Lists the questions a careful reviewer would ask",
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
  { $id: "PromptUpdate", examples: [{ title: "Review a change", isPublic: true }] },
);
export type PatchPrompt = Static<typeof patchPromptBody>;

export const restorePromptBody = Type.Object(
  { versionId: { ...recordId("An id from the list of versions."), examples: id.examples } },
  { $id: "PromptRestore" },
);

export const listPromptsQuery = Type.Object({
  ...pageParameters(),
  workspace: workspaceFilter,
  includePublic,
  q: Type.Optional(filterText("title or description")),
  search: Type.Optional(filterText("title or description (the same as `q`)")),
  includeMetadata,
  path: pathFilter,
  tags: tagFilter,
});

export const getPromptQuery = Type.Object({
  label: Type.Optional({
    ...versionLabel(),
    description: "Returns the version with this label instead of the current one; 404 if there is none.",
  }),
});

export const listVersionsQuery = Type.Object(pageParameters(LIMITS.versions.defaultLimit));

export const promptShape = Type.Object(
  {
    id,
    title: text("Review a pull request"),
    description: text("Lists the questions a careful reviewer would ask"),
    content: text(TEMPLATE),
    tags: texts("review"),
    variables: Type.Array(variable, { examples: [[{ name: "diff", type: "string" }]] }),
    parameters: anyObject({ temperature: 0.2 }),
    metadata: anyObject({ author: "Ada" }),
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

/** A prompt as it is read: the current version, or one with a label. */
export const readPromptShape = Type.Composite(
  [
    promptShape,
    Type.Object({
      label: Type.Optional({ ...versionLabel(), description: "The label that was asked for." }),
      version: Type.Optional({ ...count(1), description: "The version that has the label." }),
    }),
  ],
  { $id: "ReadPrompt" },
);

/** What a labelled version has instead of the current one. */
export function labelledToWire(label: string, { content, variables, parameters, version }: VersionRow) {
  return { content, variables, parameters, label, version };
}

/** A prompt. `uncounted` is the number of views that are not yet in the row. */
export function promptToWire(row: PromptRow, uncounted: number): Static<typeof promptShape> {
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    content: row.content,
    tags: row.tags,
    variables: row.variables,
    parameters: row.parameters,
    metadata: row.metadata,
    isPublic: row.isPublic,
    isArchived: row.isArchived,
    currentVersion: row.currentVersion,
    stats: { views: row.views + uncounted, copies: row.copies },
    workspaceId: row.workspaceId ?? undefined,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const listedPromptShape = Type.Composite(
  [
    Type.Omit(promptShape, ["variables", "parameters", "metadata", "isArchived", "createdAt"]),
    Type.Object({ metadata: listedMetadata }),
  ],
  { $id: "ListedPrompt" },
);

/** What a list item has in addition to the listed row, whose content is already truncated. */
interface ListedExtras {
  uncounted: number;
  metadata: Record<string, unknown> | undefined;
}

/** A prompt as an item of a list. */
export function listedToWire(
  row: ListedPrompt,
  { uncounted, metadata }: ListedExtras,
): Static<typeof listedPromptShape> {
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
    metadata,
  };
}

/** The response of a restore has no tags. */
export const restoredPromptShape = Type.Omit(promptShape, ["tags"], { $id: "RestoredPrompt" });

export const promptVersionShape = Type.Object(
  {
    id,
    versionId: id,
    version: count(1),
    content: promptShape.properties.content,
    preview: promptShape.properties.content,
    changeLog: Type.Optional(text("Removed one variable")),
    userName: Type.Optional(text("ada@example.org")),
    agent: Type.Optional(agent),
    createdAt: instant,
    createdBy: Type.Optional(text("ada@example.org")),
    labels: Type.Optional(texts("production")),
  },
  { $id: "PromptVersion" },
);

/** A version, with the field names of both spellings in the spec. */
export function versionToWire(row: VersionRow, labels: string[]): Static<typeof promptVersionShape> {
  const userName = row.userName ?? undefined;
  return {
    id: row.id,
    versionId: row.id,
    version: row.version,
    content: row.content,
    preview: cutCharacters(row.content, LIMITS.versions.previewCharacters),
    changeLog: row.changeLog ?? undefined,
    userName,
    agent: row.agent ?? undefined,
    createdAt: row.createdAt,
    createdBy: userName,
    ...(labels.length > 0 && { labels }),
  };
}
