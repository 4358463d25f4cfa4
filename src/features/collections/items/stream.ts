// All members of a collection with their contents as one streamed JSON response, so that only a few are in memory at a
// time.

import type { TableReader } from "../../../db/store.ts";
import { countTogether, findItems, type ItemRow, listItemPositions } from "./store.ts";

/** Maximum size of the items of one piece, unless it has only one: reading and sending it takes a few milliseconds. */
const MAX_PIECE_BYTES = 256 * 1024;
const MAX_PIECE_ITEMS = 64;

/** What a streamed list of items contains. */
export interface ItemStream {
  /** Only public prompts: what other users may see. */
  publicOnly: boolean;
  /** Maximum bytes of content per item. */
  textBytes: number;
  toWire(row: ItemRow): Record<string, unknown>;
}

/**
 * The members, newest added first, as the parts of one JSON text. The list is read at the start; members that are
 * removed before they are written are left out.
 */
export function* streamItems(
  reader: TableReader,
  collectionId: string,
  { publicOnly, textBytes, toWire }: ItemStream,
): Generator<string> {
  yield '{"data":[';
  let separator = "";
  let left = listItemPositions(reader, collectionId, { publicOnly }).map(({ id }) => id);
  while (left.length > 0) {
    const next = left.slice(0, MAX_PIECE_ITEMS);
    const together = next.slice(0, countTogether(reader, next, MAX_PIECE_BYTES));
    left = left.slice(together.length);
    const rows = findItems(reader, together, { publicOnly, textBytes });
    if (rows.length === 0) continue;
    yield separator + rows.map((row) => JSON.stringify(toWire(row))).join(",");
    separator = ",";
  }
  yield '],"pagination":{"cursor":"","hasMore":false}}';
}
