// The members of a collection with their contents: all of them, one at a time, so that any number fits in memory.

import type { Reader } from "../store.ts";
import { findItem, type ItemRow, listItemPlaces } from "./store.ts";

/**
 * The members as `toJson` writes them, newest added first, as the pieces of one JSON answer. Who is a member is settled
 * at the start; one that has left before its turn is left out.
 */
export function* itemsInPieces(
  reader: Reader,
  collectionId: string,
  publicOnly: boolean,
  textBytes: number,
  toWire: (row: ItemRow) => Record<string, unknown>,
): Generator<string> {
  yield '{"data":[';
  let separator = "";
  for (const { id } of listItemPlaces(reader, collectionId, { publicOnly })) {
    const row = findItem(reader, id, { publicOnly, textBytes });
    if (!row) continue;
    yield separator + JSON.stringify(toWire(row));
    separator = ",";
  }
  yield '],"pagination":{"cursor":"","hasMore":false}}';
}
