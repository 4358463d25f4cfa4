// Upkeep of the database file: expired receipts, free pages, and what is left of deleted texts.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { databasePath } from "../../../src/db/open.ts";
import { RECEIPT_LIFE_MS, storeReceipt } from "../../../src/db/receipts.ts";
import type { Store } from "../../../src/db/store.ts";
import { startUpkeep } from "../../../src/maintenance/upkeep.ts";
import { ensureUser } from "../../../src/auth/users.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { makeTempDir } from "../../helpers/start.ts";

let dir: string;
let store: Store;
const clock = new ManualClock();
const log = createLog({ level: "error", format: "text", clock, write: () => {} });

beforeEach(() => {
  dir = makeTempDir();
  store = openLocalStore(dir, clock);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

const count = (sql: string) => store.sql.query<{ n: number }, []>(`SELECT ${sql} AS n`).get()!.n;
const pages = () => store.sql.query<{ page_count: number }, []>("PRAGMA page_count").get()!.page_count;

async function upkeepUntil(isDone: () => boolean): Promise<void> {
  const stop = startUpkeep({ store, clock, log, fileEraser: null });
  while (!isDone()) await new Promise((turn) => setImmediate(turn));
  stop();
}

const SECRET = "the-secret-of-a-removed-user";

test("free pages are given back, and hold nothing of what was deleted", async () => {
  store.sql.run("CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT)");
  store.write(({ sql }) => {
    for (let i = 0; i < 400; i++)
      sql.run("INSERT INTO texts (text) VALUES (?)", [`${SECRET} `.repeat(2_000)]);
  });
  const full = pages();
  store.write(({ sql }) => void sql.run("DELETE FROM texts"));
  expect(pages()).toBe(full);
  await upkeepUntil(() => pages() < full - 100);
  store.sql.run("PRAGMA wal_checkpoint(TRUNCATE)");
  const bytes = readFileSync(databasePath(dir));
  expect(bytes.length).toBeLessThan((full - 100) * 32_768);
  expect(bytes.includes(SECRET)).toBeFalse();
});

test("all expired receipts are deleted in one go", async () => {
  const RECEIPTS = 1_700;
  store.write((write) => {
    const { id: userId } = ensureUser(write, "a@example.org");
    for (let i = 0; i < RECEIPTS; i++) {
      const receipt = { fingerprint: "f", status: 200, headers: {}, body: "{}" };
      storeReceipt(write, { userId, operation: "o", key: `k${i}` }, receipt);
    }
  });
  clock.advance(RECEIPT_LIFE_MS + 1);
  expect(count("(SELECT count(*) FROM idempotency_receipts)")).toBe(RECEIPTS);
  await upkeepUntil(() => count("(SELECT count(*) FROM idempotency_receipts)") === 0);
});
