// Records as both servers see them: the fields that are exchanged, how they are compared, and what a list shows of
// them. Answers of servers are checked here: a wrong type is a failure, never a value.

import type { LinkedKind } from "../features/console/replies.ts";
import { canonicalJson } from "../kernel/canonical-json.ts";
import { Failure } from "../kernel/errors.ts";
import { sha256Hex } from "../kernel/hash.ts";
import type { MergedBy } from "../kernel/merge.ts";
import { normalized } from "../kernel/text.ts";

export type Kind = LinkedKind;

/** The exchanged fields of a record. One that is absent is not known on that side, and is left alone. */
export type Fields = Record<string, unknown>;

/** A record on one side. */
export interface Form {
  id: string;
  fields: Fields;
  revision: number | null;
  /** For `If-Match`; absent where a server sends none. */
  etag: string | undefined;
  /** Null if the record may have changed again since it was written. */
  stamp: string | null;
  /** The collection that contains this collection. */
  parentId: string | undefined;
  /** Whether the record is still being filled, as a page that is fetched. */
  isUnfinished: boolean;
  /** `import` if the document comes from a file. */
  sourceType: string | undefined;
}

/** A record as a list shows it. */
export interface Listed {
  id: string;
  title: string;
  stamp: string;
  tags: string[];
}

/** The path of the list of each kind. */
export const PATH_OF: Record<Kind, string> = {
  document: "/v1/documents",
  prompt: "/v1/prompts",
  collection: "/v1/collections",
};

/** The fields of each kind, and how two changes of one are merged. */
export const FIELDS: Record<Kind, Record<string, MergedBy>> = {
  document: {
    title: "whole",
    content: "lines",
    contentHtml: "whole",
    rawHtml: "whole",
    sourceUrl: "whole",
    metadata: "members",
    tags: "list",
    archived: "whole",
  },
  prompt: {
    title: "whole",
    description: "lines",
    content: "lines",
    tags: "list",
    variables: "whole",
    parameters: "members",
    metadata: "members",
  },
  collection: { name: "whole", description: "lines", color: "whole", icon: "whole", tags: "list" },
};

const ID = /^[0-9A-Za-z][\w-]{0,127}$/;

/** A checked id, which is part of paths. Throws `unavailable`. */
export function idOf(value: unknown): string {
  if (typeof value === "string" && ID.test(value)) return value;
  throw unreadable("an id is no id");
}

const unreadable = (what: string) => new Failure("unavailable", `the answer cannot be read: ${what}`);

type Wire = Record<string, unknown>;

/** An object of an answer. Throws `unavailable` for anything else. */
export function objectOf(value: unknown, name: string): Wire {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Wire;
  throw unreadable(`${name} is no object`);
}

/** A member that must be a text; `fallback` if it is absent. */
function textOf<Fallback = never>(wire: Wire, name: string, fallback?: Fallback): string | Fallback {
  const value = wire[name];
  if (typeof value === "string") return value;
  if ((value === undefined || value === null) && fallback !== undefined) return fallback;
  throw unreadable(`${name} is no text`);
}

function tagsOf(wire: Wire): string[] {
  const tags = wire.tags ?? [];
  if (Array.isArray(tags) && tags.every((tag) => typeof tag === "string")) return tags;
  throw unreadable("tags is no list of texts");
}

/** Epoch milliseconds of a timestamp in either form; 0 if there is none. */
function timeOf(value: unknown): number {
  if (typeof value === "number") return value;
  const time = typeof value === "string" ? Date.parse(value) : 0;
  return Number.isNaN(time) ? 0 : time;
}

const archivedOf = (wire: Wire) => wire.isArchived === true || wire.status === "archived";

/** Equal lists of tags have the same form, whatever their order. */
const sortedTags = (tags: readonly string[]) => tags.map((tag) => normalized(tag, "NFC")).sort();

const titleOf = (kind: Kind, wire: Wire): string => textOf(wire, kind === "collection" ? "name" : "title");

/** A digest of what a list shows of a record, which changes when the record does. */
function stampOf(kind: Kind, wire: Wire): string {
  const tags = sortedTags(tagsOf(wire));
  const shown = {
    document: () => [archivedOf(wire), timeOf(wire.updatedAt)],
    prompt: () => [wire.description, wire.currentVersion, timeOf(wire.updatedAt)],
    collection: () => [wire.description, wire.color, wire.icon, wire.itemCount, timeOf(wire.lastActivityAt)],
  };
  return sha256Hex(canonicalJson([titleOf(kind, wire), tags, ...shown[kind]()])).slice(0, 32);
}

/** An item of a list. Throws `unavailable` if it cannot be read. */
export function listedOf(kind: Kind, value: unknown): Listed {
  const wire = objectOf(value, "an item of the list");
  return { id: idOf(wire.id), title: titleOf(kind, wire), stamp: stampOf(kind, wire), tags: tagsOf(wire) };
}

/** A whole record. Throws `unavailable` if it cannot be read. */
export function formOf(kind: Kind, value: unknown, etag: string | undefined): Form {
  const wire = objectOf(value, "data");
  const revision = wire.revision ?? wire.currentVersion;
  return {
    id: idOf(wire.id),
    fields: FIELDS_FROM[kind](wire),
    revision: Number.isSafeInteger(revision) && (revision as number) >= 0 ? (revision as number) : null,
    etag,
    stamp: stampOf(kind, wire),
    parentId: typeof wire.parentCollectionId === "string" ? idOf(wire.parentCollectionId) : undefined,
    isUnfinished: wire.status === "processing",
    sourceType: wire.sourceType === "import" ? "import" : undefined,
  };
}

const known = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

const metadataOf = (wire: Wire) =>
  wire.metadata === undefined ? undefined : objectOf(wire.metadata, "metadata");

const FIELDS_FROM: Record<Kind, (wire: Wire) => Fields> = {
  document: (wire) =>
    known({
      title: textOf(wire, "title"),
      // A text is absent if it was not asked for.
      content: wire.content === undefined ? undefined : textOf(wire, "content"),
      contentHtml: wire.content === undefined ? undefined : textOf(wire, "contentHtml", null),
      rawHtml: wire.content === undefined ? undefined : textOf(wire, "rawHtml", null),
      sourceUrl: textOf(wire, "sourceUrl", null),
      metadata: metadataOf(wire),
      tags: tagsOf(wire),
      archived: archivedOf(wire),
    }),
  prompt: (wire) =>
    known({
      title: textOf(wire, "title"),
      description: textOf(wire, "description", ""),
      content: textOf(wire, "content"),
      tags: wire.tags === undefined ? undefined : tagsOf(wire),
      variables: variablesOf(wire),
      parameters: objectOf(wire.parameters ?? {}, "parameters"),
      metadata: metadataOf(wire),
    }),
  collection: (wire) => ({
    name: textOf(wire, "name"),
    description: textOf(wire, "description", ""),
    color: textOf(wire, "color", null),
    icon: textOf(wire, "icon", null),
    tags: tagsOf(wire),
  }),
};

function variablesOf(wire: Wire): Fields[] {
  const variables = wire.variables ?? [];
  if (!Array.isArray(variables)) throw unreadable("variables is no list");
  return variables.map((value) => {
    const { name, type, description } = objectOf(value, "a variable");
    return known({ name, type, description });
  });
}

/** Longer values are stored as digests: texts are found again among the versions of the record. */
const MAX_STORED_UNITS = 256;

/** A value of a field as it is stored: itself if it is short, otherwise its digest. */
type Stored = { value: unknown } | { digest: string };

export type StoredFields = Record<string, Stored>;

const comparable = (field: string, value: unknown) =>
  canonicalJson(field === "tags" && Array.isArray(value) ? sortedTags(value) : value);

/** The digest of a value of a field. */
const digestOf = (field: string, value: unknown) => sha256Hex(comparable(field, value)).slice(0, 32);

/** Fields as they are stored. */
export function stored(fields: Fields): StoredFields {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      canonicalJson(value).length <= MAX_STORED_UNITS ? { value } : { digest: digestOf(field, value) },
    ]),
  );
}

/** Whether two values of a field are the same. */
export function isSame(field: string, a: unknown, b: unknown): boolean {
  return comparable(field, a) === comparable(field, b);
}

/** Whether a value is the stored one. */
export function isStored(field: string, at: Stored | undefined, value: unknown): boolean {
  if (at === undefined) return false;
  return "value" in at ? isSame(field, at.value, value) : at.digest === digestOf(field, value);
}

/** Whether all fields that both have are the same. */
export function isSameRecord(base: StoredFields, fields: Fields): boolean {
  return Object.keys(base).every(
    (field) => fields[field] === undefined || isStored(field, base[field], fields[field]),
  );
}
