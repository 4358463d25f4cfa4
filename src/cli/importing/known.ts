// Reads all records of a user that an import needs to know.

import { COLLECTION_OF, type KnownRecords, noneKnown } from "../../importing/known.ts";
import { bookkeepingOf } from "../../importing/record.ts";
import { walk } from "../../requests/walk.ts";
import type { Client } from "../client.ts";

/** What an import uses of a client. */
export type ImportClient = Pick<Client, "request" | "finishJobs" | "usesServer">;

/** A store without records and without a database, for a dry run: only lists can be read. */
export function emptyStore(): ImportClient {
  const body = { data: [], pagination: { hasMore: false } };
  return {
    async request(method, path) {
      if (method !== "GET") throw new Error(`a dry run sends ${method} ${path}`);
      return { status: 200, headers: new Headers(), body };
    },
    finishJobs: async () => {},
    usesServer: async () => false,
  };
}

/** Reads the lists of documents and prompts, page by page. */
export async function readKnownRecords(client: Pick<Client, "request">): Promise<KnownRecords> {
  const known = noneKnown();
  for (const kind of ["document", "prompt"] as const) {
    const query = { includeMetadata: true, includeArchived: kind === "document" ? true : undefined };
    for await (const { id, metadata } of walk(client, COLLECTION_OF[kind], { query })) {
      known.kinds.set(id, kind);
      const remembered = bookkeepingOf(metadata ?? {});
      if (!remembered) continue;
      const { importPath, importHash: hash, importState: state, importRules: rules } = remembered;
      known.byPath.set(importPath, { id, kind, hash, state, rules });
    }
  }
  return known;
}
