// The writes that a client has sent one after another, and the documents after each of them: what a replica may
// contain.

import type { Database } from "bun:sqlite";
import { contentHash } from "../../../src/kernel/hash.ts";
import type { Client } from "../../bench/child-server.ts";
import { createRandom } from "../../bench/random.ts";

/** Documents by id, each with its revision and the hash of its text. */
type State = ReadonlyMap<string, string>;

export interface History {
  /** Sends the next write and waits for its response. Throws if there is none. */
  write(): Promise<void>;
  /** The number of writes that were acknowledged. */
  readonly acknowledged: number;
  /** The time of each acknowledgement, ms. */
  readonly times: readonly number[];
  /**
   * After how many writes the documents were as in this database; the write that was not acknowledged may be the last.
   * Undefined if they never were.
   */
  find(database: Database): number | undefined;
}

interface Created {
  data: { id: string };
}

const CREATES = 0.6;
const REPLACES = 0.3;

/** A history that starts with the documents that `database` contains. */
export function startHistory(client: Client, database: Database, seed: number): History {
  const random = createRandom(seed);
  const states: State[] = [stateOf(database)];
  const times: number[] = [];
  /** Whether documents are as after the write that has no response yet. */
  let unfinished: ((found: State) => boolean) | undefined;

  const last = () => states.at(-1)!;
  const textOf = (word: string) => `# Entry\n\nThe word of this document is ${word}.`;
  const newWord = () => `w${seed}x${states.length}x${Math.floor(random() * 1e9)}`;
  const finish = (state: State) => {
    unfinished = undefined;
    states.push(state);
    times.push(performance.now());
  };

  const create = async () => {
    const [before, word] = [last(), newWord()];
    const content = textOf(word);
    unfinished = (found) => isOneMore(before, found, contentHash(content));
    const { data } = await client<Created>("POST", "/v1/documents", { title: word, content });
    finish(new Map([...before, [data.id, entry(0, contentHash(content))]]));
  };
  const replace = async (id: string) => {
    const before = last();
    const content = textOf(newWord());
    const revision = Number(before.get(id)!.split(" ")[0]) + 1;
    const after = new Map([...before, [id, entry(revision, contentHash(content))]]);
    unfinished = (found) => Bun.deepEquals(after, found);
    await client("PATCH", `/v1/documents/${id}`, { content });
    finish(after);
  };
  const remove = async (id: string) => {
    const after = new Map(last());
    after.delete(id);
    unfinished = (found) => Bun.deepEquals(after, found);
    await client("DELETE", `/v1/documents/${id}`);
    finish(after);
  };

  return {
    async write() {
      const ids = [...last().keys()];
      const id = ids[Math.floor(random() * ids.length)];
      const choice = random();
      if (id === undefined || choice < CREATES) await create();
      else if (choice < CREATES + REPLACES) await replace(id);
      else await remove(id);
    },
    get acknowledged() {
      return states.length - 1;
    },
    times,
    find(database) {
      const found = stateOf(database);
      const index = states.findLastIndex((state) => Bun.deepEquals(state, found));
      if (index >= 0) return index;
      return unfinished?.(found) ? states.length : undefined;
    },
  };
}

/** The word that only this document contains. */
export const wordIn = (content: string) => /w\d+x\d+x\d+/.exec(content)?.[0] ?? "";

const entry = (revision: number, hash: string) => `${revision} ${hash}`;

function stateOf(database: Database): State {
  const rows = database
    .query<{ id: string; revision: number; hash: string }, []>(
      "SELECT id, revision, content_hash AS hash FROM documents ORDER BY id",
    )
    .all();
  return new Map(rows.map(({ id, revision, hash }) => [id, entry(revision, hash)]));
}

/** Whether `found` has one document more than `before`, a new one with this text. */
function isOneMore(before: State, found: State, hash: string): boolean {
  const added = [...found].filter(([id]) => !before.has(id));
  const kept = [...before].every(([id, value]) => found.get(id) === value);
  return kept && added.length === 1 && added[0]![1] === entry(0, hash) && found.size === before.size + 1;
}
