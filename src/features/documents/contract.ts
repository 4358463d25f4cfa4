// The wire shapes of documents.

import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { includeMetadata, pathFilter, tagFilter, workspaceFilter } from "../../http/filters.ts";
import { pageParameters } from "../../http/pagination.ts";
import {
  anyObject,
  count,
  flag,
  id,
  instant,
  listedMetadata,
  location,
  oneOf,
  text,
  texts,
} from "../../http/response-shapes.ts";
import {
  filterText,
  freeObject,
  label,
  longText,
  recordId,
  recordIds,
  shortText,
  tagList,
  uri,
} from "../../http/shape.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { cutBytes, cutCharacters } from "../../kernel/text.ts";
import type { ListedDocument } from "../../retrieval/search/lists/documents.ts";
import { etagOf } from "./revision.ts";
import type { DocumentRow } from "./store.ts";

const { textBytes, wireTextBytes } = LIMITS.document;

export const createDocumentBody = Type.Object(
  {
    title: shortText(LIMITS.title.bytes),
    content: longText(textBytes),
    contentHtml: Type.Optional(longText(textBytes)),
    rawHtml: Type.Optional(longText(textBytes)),
    sourceType: Type.Optional(
      oneOf(["manual", "import"], { default: "manual", description: "How the document was created." }),
    ),
    sourceUrl: Type.Optional(uri()),
    metadata: Type.Optional(freeObject(LIMITS.metadata.bytes)),
    tags: Type.Optional(tagList()),
    workspaceId: Type.Optional(label(LIMITS.workspaceId.bytes)),
    collectionIds: Type.Optional(
      recordIds(
        LIMITS.collection.itemIds,
        "Collections to add the document to; all must exist and belong to the caller.",
      ),
    ),
  },
  {
    $id: "DocumentCreate",
    examples: [
      {
        title: "Kitchen notes",
        content: "# Tea\n\nThe kettle whistles when the water boils.",
        tags: ["home"],
      },
    ],
  },
);
export type CreateDocument = Static<typeof createDocumentBody>;

const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const expectedRevision = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      "The `revision` that the request applies to. If it is not the current one, the response is 412.",
  }),
);

export const patchDocumentBody = Type.Object(
  {
    title: Type.Optional(shortText(LIMITS.title.bytes)),
    content: Type.Optional(longText(textBytes)),
    contentHtml: nullable(longText(textBytes)),
    rawHtml: nullable(longText(textBytes)),
    sourceUrl: nullable(uri()),
    metadata: Type.Optional(freeObject(LIMITS.metadata.bytes)),
    tags: Type.Optional(tagList()),
    changeLog: Type.Optional(longText(LIMITS.description.bytes)),
    status: Type.Optional(oneOf(["draft", "published", "archived"])),
    expectedRevision,
  },
  {
    $id: "DocumentUpdate",
    examples: [{ title: "Kitchen notes, second edition", tags: ["home", "tea"], expectedRevision: 0 }],
  },
);
export type PatchDocument = Static<typeof patchDocumentBody>;

export const restoreDocumentBody = Type.Object(
  {
    versionId: { ...recordId("An id from the list of versions."), examples: id.examples },
    expectedRevision,
  },
  { $id: "DocumentRestore" },
);

export const listDocumentsQuery = Type.Object({
  ...pageParameters(),
  workspace: workspaceFilter,
  collectionId: Type.Optional(
    Type.String({ description: "Only documents in this collection are returned." }),
  ),
  status: Type.Optional(
    oneOf(["draft", "published", "archived"], {
      description: "Only documents with this status are returned. `archived` implies `includeArchived`.",
    }),
  ),
  search: Type.Optional(filterText("title")),
  path: pathFilter,
  includeArchived: Type.Boolean({ default: false, description: "Also return archived documents." }),
  includeContent: Type.Boolean({
    default: false,
    description: `Also return the first ${LIMITS.list.contentCharacters} characters of each document.`,
  }),
  includeMetadata,
  tags: tagFilter,
});

export const getDocumentQuery = Type.Object({
  includeContent: Type.Optional(
    Type.Boolean({ default: true, description: "`false` omits `content`, `contentHtml` and `rawHtml`." }),
  ),
  textFrom: Type.Integer({
    minimum: 0,
    maximum: LIMITS.document.textBytes,
    default: 0,
    description: "Start of each returned text, in UTF-16 units: to read on where a text was truncated.",
  }),
});

const revisionMembers = {
  revision: count(0),
  currentVersion: count(0),
  contentHash: text("sha256:9c56cc51b374c3ba189210d5b6d4bf57790d351c96c47c02190ecf1e430635ab"),
  lastChangedAt: instant,
};
const status = oneOf(["published", "draft", "archived", "processing", "completed", "failed"]);
const cutText = Type.String({ description: `Truncated at ${wireTextBytes} bytes.` });
const content = text("# Tea\n\nThe kettle whistles when the water boils.");

/** The outcome of the last fetch of a scraped document. */
const sourceShape = Type.Partial(
  Type.Object({
    contentHash: Type.String(),
    lastCheckedAt: instant,
    lastChangedAt: instant,
    lastRefreshError: Type.Object({ code: Type.String(), message: Type.String(), at: instant }),
  }),
);

export const documentShape = Type.Object(
  {
    id,
    title: text("Kitchen notes"),
    status,
    isArchived: flag(false),
    tags: texts("home"),
    content: Type.Optional(content),
    contentHtml: Type.Optional(cutText),
    rawHtml: Type.Optional(cutText),
    sourceType: oneOf(["manual", "scrape", "import"]),
    sourceUrl: Type.Optional(Type.String({ format: "uri" })),
    source: Type.Optional(sourceShape),
    ...revisionMembers,
    metadata: anyObject({ author: "Ada" }),
    workspaceId: Type.Optional(text("platform-team")),
    stats: anyObject({}),
    createdAt: instant,
    updatedAt: instant,
  },
  { $id: "Document" },
);

/** Reads the texts of a document; null if it has none. */
export interface DocumentTexts {
  content(): string | null;
  contentHtml(): string | null;
  rawHtml(): string | null;
}

/** A document as returned by GET. Each text is read when its member is. Without `texts`, the three are omitted. */
export function documentToWire(
  row: DocumentRow,
  texts: DocumentTexts | undefined,
): Static<typeof documentShape> {
  const read = (name: keyof DocumentTexts) => {
    const text = texts?.[name]();
    return text == null ? undefined : cutBytes(text, wireTextBytes);
  };
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    isArchived: isArchived(row),
    tags: row.tags,
    get content() {
      return read("content");
    },
    get contentHtml() {
      return read("contentHtml");
    },
    get rawHtml() {
      return read("rawHtml");
    },
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

/** Whether a document is archived, which is a value of its status. */
const isArchived = ({ status }: Pick<DocumentRow, "status">) => status === "archived";

export const acknowledgement = Type.Object(
  {
    id,
    ...revisionMembers,
    noop: Type.Boolean({
      description: "Whether the request changed nothing, so that there is no new revision.",
      examples: [false],
    }),
  },
  { $id: "Acknowledgement" },
);

/** The response of a restore, with a warning if the snapshot was not complete. */
export const restoreAcknowledgement = Type.Composite(
  [
    acknowledgement,
    Type.Object({ warnings: Type.Optional(Type.Array(Type.Literal("LEGACY_PARTIAL_SNAPSHOT"))) }),
  ],
  { $id: "RestoreAcknowledgement" },
);

export const revisionHeaderShape = Type.Object({
  ETag: Type.String({
    pattern: '^"[^"]+"$',
    description: "Identifies this state of the document. Send it as `If-Match` or `If-None-Match`.",
    examples: ['"1f0d7a2b9c"'],
  }),
  "X-Service-Revision": revisionMembers.revision,
  "X-Service-Content-Hash": revisionMembers.contentHash,
});

/** The headers of detail and write responses. */
export function revisionHeaders(row: DocumentRow) {
  return {
    ETag: etagOf(row),
    "X-Service-Revision": String(row.revision),
    "X-Service-Content-Hash": row.contentHash,
  };
}

export const createdHeaders = Type.Composite([location("/v1/documents/:id"), revisionHeaderShape]);

export const listedDocumentShape = Type.Composite(
  [
    Type.Pick(documentShape, ["id", "title", "status", "isArchived", "tags", "updatedAt", "workspaceId"]),
    Type.Object({
      content: Type.Optional(Type.String({ description: "Only with `includeContent=true`." })),
      metadata: listedMetadata,
    }),
  ],
  { $id: "ListedDocument" },
);
type ListedDocumentOnWire = Static<typeof listedDocumentShape>;

/** The response to a write of a document. */
export function acknowledge(row: DocumentRow, noop: boolean): Static<typeof acknowledgement> {
  return {
    id: row.id,
    revision: row.revision,
    currentVersion: row.revision,
    contentHash: row.contentHash,
    lastChangedAt: row.lastChangedAt,
    noop,
  };
}

/** What a list item has only if it was requested. */
interface ListedExtras {
  content: string | null;
  metadata: Record<string, unknown> | undefined;
}

/** A document as an item of a list. */
export function listedToWire(row: ListedDocument, { content, metadata }: ListedExtras): ListedDocumentOnWire {
  return {
    id: row.id,
    title: row.title,
    status: row.status,
    isArchived: isArchived(row),
    tags: row.tags,
    updatedAt: row.updatedAt,
    workspaceId: row.workspaceId ?? undefined,
    content: content === null ? undefined : cutCharacters(content, LIMITS.list.contentCharacters),
    metadata,
  };
}
