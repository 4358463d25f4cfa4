// The arguments that several tools have. Descriptions are short: every session of every client pays for them.

import type { ArgumentSchema, SimpleSchema } from "./tool.ts";

/** A text. */
export const text = (description?: string): SimpleSchema => ({
  type: "string",
  ...(description !== undefined && { description }),
});
/** A whole number. */
export const integer = (description?: string): SimpleSchema => ({
  type: "integer",
  ...(description !== undefined && { description }),
});
/** True or false. */
export const flag = (description: string): SimpleSchema => ({ type: "boolean", description });
/** One of some texts. */
export const oneOf = (values: string[], description?: string): SimpleSchema => ({
  type: "string",
  enum: values,
  ...(description !== undefined && { description }),
});
/** A list of texts. Clients that cannot send lists may send it as a JSON string. */
export const texts = (description?: string): ArgumentSchema => ({
  type: "array",
  items: { type: "string" },
  ...(description !== undefined && { description }),
});

export const documentId = text();
export const promptId = text();
export const collectionId = text();
export const chunkId = text();
export const tags = texts();
export const anyTags = texts("only items with all of these");
export const limit = (maximum: number, fallback: number) => integer(`1 to ${maximum}, default ${fallback}`);
export const cursor = text("from the previous page");
export const offset = integer("where to continue a long text");

/** `response_format` of the tools that read. */
export const responseFormat = oneOf(["concise", "detailed"]);

/** The query of a list: its filters, with tags as the API expects them. */
export function tagsQuery(tags: readonly string[] | undefined): string | undefined {
  return tags?.join(",");
}
