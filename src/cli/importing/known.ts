// The records of a user as an import needs them: which file each was imported from, and which ids exist.

import type { Client } from "../client.ts";
import { walk } from "../walk.ts";
import { bookkeepingOf, type RecordKind } from "./record.ts";

/** What an import uses of a client. */
export type ImportClient = Pick<Client, "request" | "finishJobs">;

/** A record that was imported from a file. */
export interface KnownRecord {
  id: string;
  kind: RecordKind;
  /** Digest of the file's bytes at the last import. */
  hash: string;
  /** Digest of the record's members at the last import. */
  state: string;
}

export interface KnownRecords {
  /** By the real path of the file. A file whose kind has changed has a record of each. */
  byPath: Record<RecordKind, Map<string, KnownRecord>>;
  /** The kind of every record of the user, by id. */
  kinds: Map<string, RecordKind>;
}

/** The path of the list of a kind, and the start of the paths of its records. */
export const COLLECTION_OF = { document: "/v1/documents", prompt: "/v1/prompts" } as const;

/** A store without records and without a database, for a dry run: only lists can be read. */
export function emptyStore(): ImportClient {
  const body = { data: [], pagination: { hasMore: false } };
  return {
    async request(method, path) {
      if (method !== "GET") throw new Error(`a dry run sends ${method} ${path}`);
      return { status: 200, headers: new Headers(), body };
    },
    finishJobs: async () => {},
  };
}

/** Reads the lists of documents and prompts, page by page. If two records of a kind have one path, the newer one counts. */
export async function readKnownRecords(client: ImportClient): Promise<KnownRecords> {
  const known: KnownRecords = {
    byPath: { document: new Map(), prompt: new Map() },
    kinds: new Map(),
  };
  for (const kind of ["document", "prompt"] as const) {
    const query = { includeMetadata: true, includeArchived: kind === "document" ? true : undefined };
    for await (const { id, metadata } of walk(client, COLLECTION_OF[kind], { query })) {
      known.kinds.set(id, kind);
      const remembered = bookkeepingOf(metadata ?? {});
      if (remembered && !known.byPath[kind].has(remembered.importPath)) {
        const { importPath, importHash: hash, importState: state } = remembered;
        known.byPath[kind].set(importPath, { id, kind, hash, state });
      }
    }
  }
  return known;
}
