// Names in place of ids: a title, path, URL, collection's name or the start of an id in an argument becomes the id of
// the one record that it means.

import { ID_PATTERN } from "../../kernel/ids.ts";
import { type FoundNames, type NamedType, oneNamed } from "../../kernel/names.ts";
import { oneLine } from "./markdown.ts";
import { type Arguments, type ToolCall, ToolFailure } from "./tool.ts";

/** The arguments that name records, and the type of these. */
const NAMED: Readonly<Record<string, NamedType>> = {
  documentId: "document",
  promptId: "prompt",
  collectionId: "collection",
  collectionIds: "collection",
  parentCollectionId: "collection",
};
const MAX_NAME = 1_000;
/** More names in one list are not looked up. */
const MAX_NAMES = 50;

type Lookup = Pick<ToolCall, "also">;

/**
 * The arguments with ids in place of names. Throws ToolFailure (400), with candidates, for a name that means no record
 * or more than one. Without a scope to read, names stay as they are, and the operation rejects them.
 */
export async function withIds(call: Lookup, given: Arguments): Promise<Arguments> {
  const read: Arguments = { ...given };
  for (const [argument, value] of Object.entries(given)) {
    const type = argument === "itemIds" ? given.itemType : NAMED[argument];
    if (type === undefined) continue;
    const isList = Array.isArray(value);
    const ids: string[] = [];
    let names = 0;
    for (const name of isList ? value : [value]) {
      const isName = !ID_PATTERN.test(name) && name.trim() !== "" && name.length <= MAX_NAME;
      ids.push(isName && ++names <= MAX_NAMES ? await idOf(call, { argument, name, type }) : name);
    }
    read[argument] = isList ? ids : ids[0];
  }
  return read;
}

async function idOf(
  { also }: Lookup,
  { argument, name, type }: { argument: string; name: string; type: NamedType },
): Promise<string> {
  const found = await findNamed({ also }, { name, type });
  if (found === undefined) return name;
  const record = oneNamed({ name, types: [type], found, clean: (text) => oneLine(text, 200) });
  if (typeof record === "string") throw new ToolFailure(400, `${argument}: ${record}`);
  return record.id;
}

/** The records with a name; undefined if the caller may not read. */
export async function findNamed(
  { also }: Lookup,
  { name, type }: { name: string; type: NamedType },
): Promise<FoundNames | undefined> {
  try {
    return (await also("console.named.find", { query: { name, types: type } })).body.data;
  } catch (error) {
    if (error instanceof ToolFailure && error.status === 403) return undefined;
    throw error;
  }
}
