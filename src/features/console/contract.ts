// The wire shapes of requests to /console/api. The responses are not part of the public API; their types are in
// replies.ts.

import { Type } from "@sinclair/typebox";
import { SCOPES } from "../../auth/scopes.ts";
import { pageParameters } from "../../http/pagination.ts";
import { oneOf } from "../../http/response-shapes.ts";
import { label, uri, versionLabel } from "../../http/shape.ts";
import { FILE_KINDS } from "../../kernel/file-kinds.ts";
import { LIMITS } from "../../kernel/limits.ts";
import { SOURCES, TABLE_COLUMNS } from "../../retrieval/search/lists/table.ts";

const secret = Type.Optional(Type.String({ minLength: 1, maxLength: 200 }));

/** A one-time code of `ctxrepo open`, or an API key. */
export const signInBody = Type.Object({ code: secret, key: secret });

export const emptyBody = Type.Object({});

const moment = Type.Integer({ minimum: 0, maximum: 8.64e15 });

/** A page of changes; those from `from` on and before `to`, epoch ms. */
export const changesQuery = Type.Object({
  ...pageParameters(),
  from: Type.Optional(moment),
  to: Type.Optional(moment),
});

/** The starts of days, epoch ms, ascending; the last one is the end of the last day. */
export const changeDaysQuery = Type.Object({
  starts: Type.String({ pattern: "^\\d{1,14}(,\\d{1,14}){1,100}$" }),
});

/** The number of the last event that the page has received. */
export const eventsQuery = Type.Object({ since: Type.Optional(Type.Integer({ minimum: 0 })) });

/** The id of the last version that a person has seen; without it, everything is new. */
export const happenedQuery = Type.Object({ since: Type.Optional(Type.String({ maxLength: 27 })) });

export const dismissBody = Type.Object({ text: Type.String({ minLength: 1, maxLength: 300 }) });

/** A label, and the version to put it on; null takes it off. */
export const labelBody = Type.Object({
  label: versionLabel(),
  versionId: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
});

/** The version of a prompt to run, by default the current one, and the values of its placeholders. */
export const runBody = Type.Object({
  versionId: Type.Optional(Type.String({ maxLength: 100 })),
  values: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: 100 }),
      value: Type.String({ maxLength: LIMITS.run.promptBytes }),
    }),
    { maxItems: LIMITS.run.values },
  ),
});

/** The new parent of a collection; null for the top level. */
export const moveBody = Type.Object({
  parentId: Type.Union([Type.String({ maxLength: 100 }), Type.Null()]),
});

export const pinBody = Type.Object({ type: oneOf(["document", "prompt", "collection"]) });

export const retryBody = Type.Object({ jobId: Type.Integer({ minimum: 0 }) });

export const createKeyBody = Type.Object({
  name: Type.Optional(label(LIMITS.workspaceId.bytes)),
  scopes: Type.Array(oneOf(SCOPES), { minItems: 1, uniqueItems: true }),
});

export const renameKeyBody = Type.Object({
  id: Type.String({ maxLength: 100 }),
  name: Type.Union([label(LIMITS.workspaceId.bytes), Type.Null()]),
});

export const revokeKeyBody = Type.Object({ id: Type.String({ maxLength: 100 }) });

export const imageBody = Type.Object({ url: uri() });

/** A file in base64. What fits into a body is less than `ctxrepo import` can read. */
export const fileBody = Type.Object({
  name: Type.String({ maxLength: 4_096 }),
  type: oneOf(["html", ...FILE_KINDS]),
  base64: Type.String({ maxLength: LIMITS.body.bytes }),
});

export const importedBody = Type.Object({
  paths: Type.Array(Type.String({ maxLength: 4_096 }), { maxItems: 500 }),
});

const folderPath = Type.String({ minLength: 1, maxLength: 4_096 });
const folderList = Type.Array(Type.String({ minLength: 1, maxLength: 1_024 }), { maxItems: 100 });

/** A folder to remember, with the options of its imports. */
export const folderBody = Type.Object({
  path: folderPath,
  collection: Type.Optional(label(LIMITS.title.bytes)),
  tags: folderList,
  kinds: folderList,
  exclude: folderList,
});

export const folderPathShape = Type.Object({ path: folderPath });

/** What a person calls a record: an id, path, URL, title, name, or the start of an id. */
export const namedQuery = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 4_096 }),
  path: Type.Optional(Type.String({ maxLength: 4_096 })),
  types: Type.Optional(
    Type.String({ description: "Comma-separated: document, prompt, collection; default all." }),
  ),
});

/** A page of a list that starts after a number of rows. */
const offsetParameters = {
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 100 }),
  cursor: Type.Optional(Type.Integer({ minimum: 0, description: "The number of rows before the page." })),
};

export const offsetPage = Type.Object(offsetParameters);

const filterText = Type.Optional(Type.String({ maxLength: 4_096 }));

/** The table of documents: its filters, the column it is sorted by, and the page. */
export const tableQuery = Type.Object({
  title: filterText,
  tags: filterText,
  status: Type.Optional(oneOf(["draft", "published", "archived", "processing", "completed", "failed"])),
  source: Type.Optional(oneOf(SOURCES)),
  agent: Type.Optional(Type.String({ maxLength: 1_024, description: "`-` for people." })),
  folder: filterText,
  collectionId: filterText,
  sort: Type.Optional(oneOf(TABLE_COLUMNS)),
  order: Type.Optional(oneOf(["ascending", "descending"])),
  ...offsetParameters,
});

/** The start of a name, for completion in a shell. */
export const namesQuery = Type.Object({
  kind: oneOf(["records", "documents", "prompts", "collections", "tags"]),
  start: Type.Optional(Type.String({ maxLength: 256 })),
});

/** The members that all of these operations share; they are not described by the OpenAPI document. */
export const common = {
  description: "",
  responses: { 200: { body: Type.Object({ data: Type.Unknown() }) } },
};
