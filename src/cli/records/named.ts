// Records by what people call them: an id, a path, a URL, a title, a collection's name, or the start of an id.

import { resolve } from "node:path";
import { badRequest, notFound } from "../../kernel/errors.ts";
import { ID_PATTERN } from "../../kernel/ids.ts";
import { COLLECTION_OF } from "../../importing/known.ts";
import { dataOf } from "../../requests/reply.ts";
import { type FoundNames, MAX_NAMED, type NamedRecord, type NamedType } from "../../retrieval/lists/named.ts";
import type { Client } from "../client.ts";
import { printableLine } from "../printable.ts";

const MAX_CANDIDATES = MAX_NAMED - 1;

/** Where the records of each type are in the API. */
export const PATH_OF: Record<NamedType, string> = { ...COLLECTION_OF, collection: "/v1/collections" };

/** Records that are a text with versions. */
export const TEXT_TYPES = ["document", "prompt"] as const;
export type TextType = (typeof TEXT_TYPES)[number];

/** Explains in the help of a command what names a record. */
export const NAME_HELP = "id, path, URL or title, or the start of an id";

interface Lookup {
  /** The argument or option, for messages. */
  argument: string;
  /** What the user wrote there. */
  name: string;
  types: readonly NamedType[];
}

/**
 * The one record with this name. Throws `bad-request` with at most five candidates if there is none or more than one, and
 * `not-found` if the name has the form of an id.
 */
export async function recordNamed(client: Client, { argument, name, types }: Lookup): Promise<NamedRecord> {
  const query = { name, path: resolve(name), types };
  const found: FoundNames =
    name.trim() === "" || name.length > 4_096
      ? { matches: [], similar: [] }
      : dataOf(await client.request("GET", "/console/api/named", { query }));
  const [record, ...others] = found.matches;
  if (record !== undefined && others.length === 0) return record;
  const kinds = types.join(" or ");
  if (record === undefined && ID_PATTERN.test(name)) throw notFound(`a ${kinds} with the id ${name}`);
  const message =
    record === undefined
      ? `no ${kinds} is called "${printableLine(name)}"`
      : `"${printableLine(name)}" names more than one ${kinds}: use an id`;
  const candidates = (record === undefined ? found.similar : found.matches).slice(0, MAX_CANDIDATES);
  throw badRequest({ path: argument, message: [message, ...candidates.map(candidateLine)].join("\n  ") });
}

/** The records with these names, each once. Throws as recordNamed does. */
export async function recordsNamed(
  client: Client,
  argument: string,
  names: readonly string[],
  types: readonly NamedType[],
): Promise<NamedRecord[]> {
  const records = new Map<string, NamedRecord>();
  for (const name of names) {
    const record = await recordNamed(client, { argument, name, types });
    records.set(record.id, record);
  }
  return [...records.values()];
}

function candidateLine({ id, type, title, place }: NamedRecord): string {
  return [`${id}  ${type}  ${printableLine(title)}`, ...(place === null ? [] : [printableLine(place)])].join(
    "  ",
  );
}
