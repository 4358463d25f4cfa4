// The records that an import needs to know: which file each was imported from, and which ids exist. Must run in a
// browser, too.

import type { RecordKind } from "./record.ts";

/** A record that was imported from a file. */
export interface KnownRecord {
  id: string;
  kind: RecordKind;
  /** Digest of the file's bytes at the last import. */
  hash: string;
  /** Digest of the record's members at the last import. */
  state: string;
  /** IMPORT_RULES of the last import; undefined before there were numbers, or if it does not matter. */
  rules?: number;
}

export interface KnownRecords {
  /** By the path of the file. */
  byPath: Map<string, KnownRecord>;
  /** The kinds of the user's records, by id. */
  kinds: Map<string, RecordKind>;
}

/** No records. */
export const noneKnown = (): KnownRecords => ({
  byPath: new Map(),
  kinds: new Map(),
});

/** The path of the list of a kind, and the start of the paths of its records. */
export const COLLECTION_OF = { document: "/v1/documents", prompt: "/v1/prompts" } as const;
