// One of the two servers: lists, reads and writes its records through the API that both speak. The server here and the
// other one are used in the same way; only what the other one answers can be wrong, so everything is checked for both.

import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { LIMITS } from "../kernel/limits.ts";
import { utf8Length } from "../kernel/text.ts";
import { dataOf, type Reply, type RequestOptions, type Requests } from "../requests/reply.ts";
import {
  type Fields,
  type Form,
  formOf,
  idOf,
  isSame,
  type Kind,
  type Listed,
  listedOf,
  objectOf,
  PATH_OF,
} from "./records.ts";

export interface SideRequests extends Requests {
  request(
    method: string,
    path: string,
    options?: RequestOptions & { isRepeatable?: boolean },
  ): Promise<Reply>;
}

export interface Side {
  /** All records of a kind, archived ones too. Throws `unavailable` for a list that does not end. */
  list(kind: Kind): AsyncGenerator<Listed>;
  /** A record with its texts; undefined if it does not exist. */
  read(kind: Kind, id: string): Promise<Form | undefined>;
  /** The same without the texts of documents. */
  readShort(kind: Kind, id: string): Promise<Form | undefined>;
  /** The texts of earlier versions of a record, newest first. */
  versions(kind: Kind, id: string): AsyncGenerator<string>;
  create(kind: Kind, record: NewRecord): Promise<Form>;
  /** Throws `precondition-failed` if the record has changed since it was read. */
  update(kind: Kind, form: Form, fields: Fields): Promise<Form>;
  /** Deletes a record; one that is gone is no failure. */
  remove(kind: Kind, form: Form): Promise<void>;
  /** The members of a collection. */
  items(collectionId: string): AsyncGenerator<{ kind: Kind; id: string }>;
  changeItems(collectionId: string, change: ItemChange): Promise<void>;
}

interface NewRecord {
  fields: Fields;
  /** The same for every try of this creation. */
  key: string;
  sourceType?: string | undefined;
  parentId?: string | undefined;
}

interface ItemChange {
  action: "add" | "remove";
  kind: Kind;
  ids: readonly string[];
}

export interface SideOptions {
  /** The change log of what is written. */
  changeLog: string;
  newKey(): string;
}

const MAX_RECORDS = 1_000_000;
const MAX_ITEMS_OF_PAGE = 1_000;
const MAX_CURSOR_UNITS = 4_096;
/** Pages in a row that bring nothing new. */
const MAX_IDLE_PAGES = 10;
const MAX_VERSIONS = 500;
/** Fewer than a server accepts at once. */
const ITEMS_OF_REQUEST = 100;

/** What the specification lets POST set; servers may ignore or reject other fields. */
const CREATED: Record<Kind, readonly string[]> = {
  document: ["title", "content", "tags"],
  prompt: ["title", "description", "content", "tags", "variables", "parameters"],
  collection: ["name", "description", "color", "icon", "tags"],
};

/** Opens one side. */
export function openSide(client: SideRequests, { changeLog, newKey }: SideOptions): Side {
  const read = async (kind: Kind, id: string, query: RequestOptions["query"] = {}) => {
    const reply = await client.request("GET", `${PATH_OF[kind]}/${idOf(id)}`, { query });
    return reply.status === 404 ? undefined : formIn(kind, id, reply);
  };

  const readShort = (kind: Kind, id: string) =>
    read(kind, id, kind === "document" ? { includeContent: false } : {});

  const patch = async (kind: Kind, form: Form, fields: Fields): Promise<Reply> => {
    const { archived, ...others } = fields;
    const body = {
      ...present(kind, others),
      ...(archived !== undefined && { status: archived ? "archived" : "published" }),
      ...(kind !== "collection" && { changeLog }),
    };
    const headers = {
      "Idempotency-Key": newKey(),
      ...(form.etag !== undefined && { "If-Match": form.etag }),
    };
    return client.request("PATCH", `${PATH_OF[kind]}/${form.id}`, { body, headers });
  };

  /** The record as it is after a write, which `reply` acknowledges. */
  const written = async (kind: Kind, reply: Reply): Promise<Form | undefined> => {
    const acknowledged = objectOf(answerOf(reply), "data");
    const id = idOf(acknowledged.id);
    if (kind !== "document") return formIn(kind, id, reply);
    const form = await readShort(kind, id);
    if (form === undefined) return undefined;
    const etag = reply.headers.get("etag");
    const isThisState =
      etag === null || form.etag === undefined ? form.revision === acknowledged.revision : form.etag === etag;
    return isThisState ? form : { ...form, stamp: null };
  };

  const update = async (kind: Kind, form: Form, fields: Fields): Promise<Form> =>
    found(await written(kind, await patch(kind, form, fields)));

  const create = async (kind: Kind, record: NewRecord): Promise<Form> => {
    const { fields, sourceType, parentId } = record;
    const { archived, ...others } = fields;
    const given = {
      ...present(kind, Object.fromEntries(Object.entries(others).filter(([, value]) => !isEmpty(value)))),
      ...required(kind, fields),
      ...(parentId !== undefined && { parentCollectionId: parentId }),
    };
    // The same creation has the same key, so that one whose answer was lost is not executed twice.
    const post = (body: object, key: string) =>
      client.request("POST", PATH_OF[kind], {
        body,
        headers: { "Idempotency-Key": `${key}-${sha256Hex(canonicalJson(body)).slice(0, 32)}` },
        isRepeatable: kind === "document",
      });
    const send = async (key: string) => {
      const reply = await post({ ...given, ...(sourceType !== undefined && { sourceType }) }, key);
      if (reply.status !== 400) return reply;
      return post(onlyMembers(given, [...CREATED[kind], "parentCollectionId"]), key);
    };
    // A creation that is replayed may have been deleted since.
    const form =
      (await written(kind, await send(record.key))) ?? found(await written(kind, await send(newKey())));
    // What the server did not take from the request is written now. Without texts, their fields are not known.
    const hasHtml = typeof fields.contentHtml === "string" || typeof fields.rawHtml === "string";
    const now = hasHtml ? found(await read(kind, form.id)).fields : form.fields;
    const missing = Object.entries(fields).filter(
      ([field, value]) => now[field] !== undefined && !isSame(field, now[field], value),
    );
    return missing.length === 0 ? form : update(kind, form, Object.fromEntries(missing));
  };

  return {
    list: (kind) =>
      pages(client, PATH_OF[kind], {
        query: kind === "document" ? { includeArchived: true } : {},
        read: (item) => listedOf(kind, item),
      }),
    async read(kind, id) {
      const form = await read(kind, id);
      if (form && kind === "document") await readOn(client, form);
      return form;
    },
    readShort,
    async *versions(kind, id) {
      let left = MAX_VERSIONS;
      const path = `${PATH_OF[kind]}/${idOf(id)}/versions`;
      for await (const { content } of pages(client, path, { read: versionOf })) {
        yield content;
        if (--left === 0) return;
      }
    },
    create,
    update,
    async remove(kind, form) {
      const headers = {
        "Idempotency-Key": newKey(),
        ...(form.etag !== undefined && { "If-Match": form.etag }),
      };
      const reply = await client.request("DELETE", `${PATH_OF[kind]}/${form.id}`, { headers });
      if (reply.status !== 404) answerOf(reply);
    },
    items: (collectionId) =>
      pages(client, `${PATH_OF.collection}/${idOf(collectionId)}/items`, { read: itemOf }),
    async changeItems(collectionId, { action, kind, ids }) {
      const method = action === "add" ? "POST" : "PUT";
      for (let start = 0; start < ids.length; start += ITEMS_OF_REQUEST) {
        const body = { itemIds: ids.slice(start, start + ITEMS_OF_REQUEST), itemType: kind };
        const headers = { "Idempotency-Key": newKey() };
        answerOf(
          await client.request(method, `${PATH_OF.collection}/${collectionId}/items`, { body, headers }),
        );
      }
    },
  };
}

/** `data` of a successful answer. Throws the Failure of any other, and `unavailable` if it cannot be read. */
function answerOf(reply: Reply): unknown {
  return reply.status >= 300 ? dataOf(reply) : objectOf(reply.body, "the answer").data;
}

function found(form: Form | undefined): Form {
  if (form === undefined) throw new Failure("precondition-failed", "the record was deleted in the meantime");
  return form;
}

function formIn(kind: Kind, id: string, reply: Reply): Form {
  const form = formOf(kind, answerOf(reply), reply.headers.get("etag") ?? undefined);
  if (form.id === id) return form;
  throw new Failure("unavailable", `the answer cannot be read: it is not the record ${id}`);
}

const isEmpty = (value: unknown) =>
  value === null ||
  value === undefined ||
  (typeof value === "object" && Object.keys(value as object).length === 0);

/** Fields that a server does not accept as null are left out: only a document's can be cleared. */
function present(kind: Kind, fields: Fields): Fields {
  if (kind === "document") return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function required(kind: Kind, fields: Fields): Fields {
  if (kind === "collection") return { name: fields.name };
  const { title, content, description } = fields;
  return { title, content, ...(kind === "prompt" && { description: description ?? "" }) };
}

const onlyMembers = (body: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));

function versionOf(value: unknown): { id: string; content: string } {
  const wire = objectOf(value, "a version");
  const content = typeof wire.content === "string" ? wire.content : "";
  return { id: idOf(wire.id ?? wire.versionId), content };
}

function itemOf(value: unknown): { kind: Kind; id: string } {
  const wire = objectOf(value, "an item");
  const kind = wire.itemType ?? wire.type;
  if (kind !== "document" && kind !== "prompt")
    throw new Failure("unavailable", "the answer cannot be read: an item is neither document nor prompt");
  return { kind, id: idOf(wire.itemId ?? wire.id) };
}

/**
 * The items of a list, each once. Throws `unavailable` for a page that cannot be read, a cursor that comes again, and
 * pages that bring nothing new.
 */
async function* pages<Item extends { id: string }>(
  client: SideRequests,
  path: string,
  { query = {}, read }: { query?: RequestOptions["query"]; read: (item: unknown) => Item },
): AsyncGenerator<Item> {
  const refuse = (what: string) => new Failure("unavailable", `the list ${path} cannot be read: ${what}`);
  const seen = new Set<string>();
  const cursors = new Set<string>();
  let cursor: string | undefined;
  let idle = 0;
  do {
    const reply = await client.request("GET", path, {
      query: { ...query, limit: LIMITS.list.maxLimit, cursor },
    });
    const data = answerOf(reply);
    if (!Array.isArray(data)) throw refuse("data is no list");
    if (data.length > MAX_ITEMS_OF_PAGE) throw refuse(`a page has more than ${MAX_ITEMS_OF_PAGE} items`);
    const before = seen.size;
    for (const value of data) {
      const item = read(value);
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      yield item;
    }
    idle = seen.size === before ? idle + 1 : 0;
    cursor = nextCursor((reply.body as { pagination?: unknown }).pagination);
    if (cursor === undefined) return;
    const digest = sha256Hex(cursor).slice(0, 16);
    if (cursor.length > MAX_CURSOR_UNITS || cursors.has(digest)) throw refuse("its cursor comes again");
    if (idle >= MAX_IDLE_PAGES) throw refuse("its pages bring nothing new");
    if (seen.size > MAX_RECORDS) throw refuse(`it has more than ${MAX_RECORDS} items`);
    cursors.add(digest);
  } while (cursor !== undefined);
}

/** The cursor of the next page; undefined after the last one. */
function nextCursor(pagination: unknown): string | undefined {
  if (typeof pagination !== "object" || pagination === null) return undefined;
  const { cursor, hasMore } = pagination as { cursor?: unknown; hasMore?: unknown };
  return hasMore === true && typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}

/**
 * Reads on where a response has truncated the texts of a document. Throws `too-large` for a server that cannot send the
 * rest.
 */
async function readOn(client: SideRequests, form: Form): Promise<void> {
  const { id, fields } = form;
  const texts = ["content", "contentHtml", "rawHtml"].filter((name) => isCut(fields[name]));
  for (const name of texts) {
    let text = fields[name] as string;
    for (let part = text; isCut(part); text += part) {
      const reply = await client.request("GET", `${PATH_OF.document}/${id}`, {
        query: { textFrom: text.length },
      });
      const rest = objectOf(answerOf(reply), "data")[name];
      part = typeof rest === "string" ? rest : "";
      // A server that does not know the parameter sends the start again.
      if (isCut(part) && text.startsWith(part))
        throw new Failure("too-large", `${name} is longer than the server sends`);
      if (text.length > LIMITS.document.textBytes) throw new Failure("too-large", `${name} is too long`);
    }
    fields[name] = text;
  }
}

/** Whether a text has the length at which responses truncate it, give or take one character. */
const isCut = (text: unknown): boolean =>
  typeof text === "string" &&
  text.length >= LIMITS.document.wireTextBytes / 4 &&
  utf8Length(text) >= LIMITS.document.wireTextBytes - 4;
