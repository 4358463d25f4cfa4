// Records by what people call them: an id, a path, a URL, a title, a collection's name, or the start of an id.

import { resolve } from "node:path";
import { badRequest, notFound } from "../../kernel/errors.ts";
import { ID_PATTERN } from "../../kernel/ids.ts";
import { COLLECTION_OF } from "../../importing/known.ts";
import { dataOf } from "../../requests/reply.ts";
import { type FoundNames, type NamedRecord, type NamedType, oneNamed } from "../../kernel/names.ts";
import type { Client } from "../client.ts";
import { printableLine } from "../printable.ts";

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
 * The one record with this name. Throws `bad-request` with at most five candidates if there is none or more than one,
 * and `not-found` if the name has the form of an id.
 */
export async function recordNamed(client: Client, { argument, name, types }: Lookup): Promise<NamedRecord> {
  const query = { name, path: resolve(name), types };
  const found: FoundNames =
    name.trim() === "" || name.length > 4_096
      ? { matches: [], similar: [] }
      : dataOf(await client.request("GET", "/console/api/named", { query }));
  const record = oneNamed({ name, types, found, clean: printableLine });
  if (typeof record !== "string") return record;
  if (found.matches.length === 0 && ID_PATTERN.test(name)) {
    throw notFound(`a ${types.join(" or ")} with the id ${name}`);
  }
  throw badRequest({ path: argument, message: record });
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
