// The arguments that several tools have. Descriptions are short: every session of every client pays for them.

import { LIMITS } from "../../kernel/limits.ts";
import type { ArgumentSchema, SimpleSchema } from "./tool.ts";

/** A text. */
export const text = (description: string): SimpleSchema => ({ type: "string", description });
/** A whole number. */
export const integer = (description: string): SimpleSchema => ({ type: "integer", description });
/** True or false. */
export const flag = (description: string): SimpleSchema => ({ type: "boolean", description });
/** One of some texts. */
export const oneOf = (values: string[], description: string): SimpleSchema => ({
  type: "string",
  enum: values,
  description,
});
/** A list of texts. */
export const texts = (description: string): ArgumentSchema => ({
  type: "array",
  items: { type: "string" },
  description,
});

export const documentId = text("id, title, path or URL");
export const promptId = text("id or title");
export const collectionId = text("id or name");
export const inDocument = text("search only in this one");
export const inCollection = text("only in this one");
export const chunkId = text("of a passage");
export const tags = texts("replaces all");
export const anyTags = texts("all must match");
export const limit = (maximum: number, fallback: number) => integer(`1-${maximum}, default ${fallback}`);
export const listLimit = limit(LIMITS.list.maxLimit, LIMITS.list.defaultLimit);
export const cursor = text("of the previous page");
export const offset = integer("where to go on");
export const maxTokens = integer("of the result");

/** Members of the data that tools return. */
export const TEXT = { type: "string" } as const;
export const NUMBER = { type: "integer" } as const;
export const FLAG = { type: "boolean" } as const;

/** The query of a list: its filters, with tags as the API expects them. */
export function tagsQuery(tags: readonly string[] | undefined): string | undefined {
  return tags?.join(",");
}
