// All members of a collection with their contents as one streamed JSON response, so that only one is in memory at a time.

import type { Reader } from "../store.ts";
import { findItem, type ItemRow, listItemPositions } from "./store.ts";

/** What a streamed list of items contains. */
export interface ItemStream {
  /** Only public prompts: what other users may see. */
  publicOnly: boolean;
  /** Maximum bytes of content per item. */
  textBytes: number;
  toWire(row: ItemRow): Record<string, unknown>;
}

/**
 * The members, newest added first, as the parts of one JSON text. The list is read at the start; members that are removed
 * before they are written are left out.
 */
export function* streamItems(
  reader: Reader,
  collectionId: string,
  { publicOnly, textBytes, toWire }: ItemStream,
): Generator<string> {
  yield '{"data":[';
  let separator = "";
  for (const { id } of listItemPositions(reader, collectionId, { publicOnly })) {
    const row = findItem(reader, id, { publicOnly, textBytes });
    if (!row) continue;
    yield separator + JSON.stringify(toWire(row));
    separator = ",";
  }
  yield '],"pagination":{"cursor":"","hasMore":false}}';
}
