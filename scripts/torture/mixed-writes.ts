// The mixed writes of several clients: documents, coordinated edits under leases, prompts, collections and their items,
// imports, scraped pages, and tool calls of MCP.

import { createRandom } from "../bench/random.ts";
import { collectionActions } from "./collection-writes.ts";
import { coordinatedActions } from "./coordinated-writes.ts";
import { documentActions } from "./document-writes.ts";
import type { Facts } from "./facts.ts";
import { scrapeActions } from "./scrape-writes.ts";
import { importActions, mcpActions, promptActions } from "./unkeyed-writes.ts";
import { createWriter, type Shared, type Writer } from "./writer.ts";

interface Options {
  facts: Facts;
  seed: number;
  pagesUrl: string;
}

export interface MixedWrites {
  shared: Shared;
  writers: Writer[];
  /** The documents with the token that each must be found by. */
  searchable: Map<string, string>;
  scraped: string[];
}

/** Nine clients. */
export function mixedWrites({ facts, seed, pagesUrl }: Options): MixedWrites {
  const random = createRandom(seed);
  let tokens = 0;
  const shared: Shared = {
    facts,
    random,
    token: () => `t${seed.toString(36)}x${(++tokens).toString(36)}q`,
    pool: [],
    pagesUrl,
    counts: {
      acknowledged: 0,
      unknown: 0,
      refused: 0,
      unexplained: 0,
      repeated: 0,
      replayed: 0,
      lookedUp: 0,
    },
    wrong: [],
  };
  const searchable = new Map<string, string>();
  const scraped: string[] = [];
  const kinds = [
    () => documentActions(shared, searchable),
    () => documentActions(shared, searchable),
    () => coordinatedActions(shared, searchable),
    () => coordinatedActions(shared, searchable),
    () => promptActions(shared),
    () => collectionActions(shared),
    () => importActions(shared, searchable),
    () => mcpActions(shared, searchable),
    () => scrapeActions(shared, scraped),
  ];
  return { shared, writers: kinds.map((kind) => createWriter(shared, kind())), searchable, scraped };
}
