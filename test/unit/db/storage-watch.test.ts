// Looks at the paths of the open files: when a server without a data directory gives up.

import { afterAll, expect, test } from "bun:test";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MAX_WITHOUT_DIRECTORY_MS } from "../../../src/db/storage-watch.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { makeTempDir, startServer } from "../../helpers/start.ts";

const root = makeTempDir();
afterAll(() => rmSync(root, { recursive: true }));

test("a data directory counts as gone after a minute without it, not if it comes back before", async () => {
  const clock = new ManualClock();
  const dataDir = join(root, "data");
  const away = join(root, "away");
  const { app, stop } = startServer({ dataDir, clock });
  let isGone = false;
  app.storage.directoryGone.then(() => {
    isGone = true;
  });
  const lookAfter = async (ms: number) => {
    clock.advance(ms);
    app.storage.look();
    await Promise.resolve();
    return isGone;
  };
  renameSync(dataDir, away);
  expect(await lookAfter(MAX_WITHOUT_DIRECTORY_MS - 1)).toBe(false);
  renameSync(away, dataDir);
  expect(await lookAfter(1_000)).toBe(false);
  expect(app.storage.problems()).toEqual([]);
  renameSync(dataDir, away);
  expect(await lookAfter(MAX_WITHOUT_DIRECTORY_MS - 1)).toBe(false);
  expect(await lookAfter(1)).toBe(true);
  await stop();
});
