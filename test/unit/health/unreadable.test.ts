// GET /health while the database cannot be read.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { healthReply } from "../../../src/site/health/routes.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { createLog } from "../../../src/kernel/log.ts";
import { fakeEmbedder } from "../../helpers/embedder.ts";
import { openStore } from "../../../src/db/open-store.ts";

test("is 503 and says what is wrong with the disk", () => {
  const clock = new ManualClock();
  const log: string[] = [];
  const observed: unknown[] = [];
  const reply = healthReply({
    // A file without tables: the jobs cannot be counted.
    store: openStore(new Database(":memory:"), clock, () => ""),
    clock,
    log: createLog({ level: "info", format: "json", clock, write: (line) => log.push(line) }),
    embedder: fakeEmbedder(),
    storage: {
      observe: (error) => observed.push(error),
      problems: () => (observed.length > 0 ? ["the disk reports errors"] : []),
    },
    startedAt: 0,
    following: null,
  });
  expect(reply.status).toBe(503);
  expect(reply.body).toMatchObject({ database: "degraded", problems: ["the disk reports errors"] });
  expect(log.join()).toContain("the database cannot be read");
});
