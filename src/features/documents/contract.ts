// The wire shapes of documents.

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { pageParameters } from "../../http/pagination.ts";
import { freeObject, label, longText, shortText, tagList, uri } from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes } from "../../kernel/text.ts";
import type { DocumentRow } from "./store.ts";

const { textBytes, wireTextBytes } = LIMITS.document;

export const createDocumentBody = Type.Object({
  title: shortText(LIMITS.title.bytes),
  content: longText(textBytes),
  contentHtml: Type.Optional(longText(textBytes)),
  rawHtml: Type.Optional(longText(textBytes)),
  sourceUrl: Type.Optional(uri()),
  metadata: Type.Optional(freeObject(LIMITS.metadata.bytes)),
  tags: Type.Optional(tagList()),
  workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
  collectionIds: Type.Optional(Type.Array(Type.String(), { maxItems: LIMITS.collection.itemIds })),
});
export type CreateDocument = Static<typeof createDocumentBody>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const expectedRevision = Type.Optional(Type.Integer({ minimum: 0 }));

export const patchDocumentBody = Type.Object({
  title: Type.Optional(shortText(LIMITS.title.bytes)),
  content: Type.Optional(longText(textBytes)),
  contentHtml: nullable(longText(textBytes)),
  rawHtml: nullable(longText(textBytes)),
  sourceUrl: nullable(uri()),
  metadata: Type.Optional(freeObject(LIMITS.metadata.bytes)),
  tags: Type.Optional(tagList()),
  changeLog: Type.Optional(longText(LIMITS.description.bytes)),
  status: Type.Optional(Type.Union(["draft", "published", "archived"].map((status) => Type.Literal(status)))),
  expectedRevision,
});
export type PatchDocument = Static<typeof patchDocumentBody>;

export const restoreDocumentBody = Type.Object({
  versionId: Type.String({ minLength: 1 }),
  expectedRevision,
});

export const listDocumentsQuery = Type.Object({
  ...pageParameters(),
  workspace: Type.Optional(Type.String()),
  collectionId: Type.Optional(Type.String()),
  status: Type.Optional(Type.Union(["draft", "published", "archived"].map((status) => Type.Literal(status)))),
  search: Type.Optional(Type.String()),
  includeArchived: Type.Boolean({ default: false }),
  includeContent: Type.Boolean({ default: false }),
  tags: Type.Optional(Type.String()),
});
export type ListDocuments = Static<typeof listDocumentsQuery>;

export const listVersionsQuery = Type.Object(pageParameters(LIMITS.versions.defaultLimit));

export const getDocumentQuery = Type.Object({
  includeContent: Type.Optional(Type.Boolean({ default: true })),
});

/** The texts of a document, or null for those it has none of. */
export interface DocumentTexts {
  content: string | null;
  contentHtml: string | null;
  rawHtml: string | null;
}

/** A document as GET shows it. Without `texts` the three text fields are left out. */
export function documentToWire(row: DocumentRow, texts: DocumentTexts | undefined): Record<string, unknown> {
  const cut = (text: string | null | undefined) => (text == null ? undefined : cutBytes(text, wireTextBytes));
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    isArchived: isArchived(row),
    tags: row.tags,
    content: cut(texts?.content),
    contentHtml: cut(texts?.contentHtml),
    rawHtml: cut(texts?.rawHtml),
    sourceType: row.sourceType,
    sourceUrl: row.sourceUrl ?? undefined,
    source: Object.keys(row.source).length > 0 ? row.source : undefined,
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
    lastChangedAt: row.lastChangedAt,
    metadata: row.metadata,
    workspaceId: row.workspaceId ?? undefined,
    stats: {},
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  };
}

export const isArchived = ({ status }: DocumentRow) => status === "archived";

/** The canonical write acknowledgement. */
export function acknowledge(row: DocumentRow, noop: boolean): Record<string, unknown> {
  return {
    id: row.id,
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
    lastChangedAt: row.lastChangedAt,
    noop,
  };
}
