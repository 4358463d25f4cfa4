// The file by which commands find the process that serves a data directory: it comes back when its directory is
// deleted.

import { afterAll, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readAddress, writeAddress } from "../../../src/cli/address-file.ts";
import { makeTempDir } from "../../helpers/start.ts";

const LOOK_MS = 5;
const root = makeTempDir();
const runtime = join(root, "runtime");
const cache = join(root, "cache");
const dataDir = join(root, "data");
mkdirSync(dataDir);
const { XDG_RUNTIME_DIR, CTXREPO_CACHE_DIR } = process.env;
afterAll(() => {
  Object.assign(process.env, { XDG_RUNTIME_DIR, CTXREPO_CACHE_DIR });
  if (XDG_RUNTIME_DIR === undefined) delete process.env.XDG_RUNTIME_DIR;
  if (CTXREPO_CACHE_DIR === undefined) delete process.env.CTXREPO_CACHE_DIR;
  rmSync(root, { recursive: true });
});
beforeEach(() => {
  Object.assign(process.env, { XDG_RUNTIME_DIR: runtime, CTXREPO_CACHE_DIR: cache });
  for (const folder of [runtime, cache]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(runtime);
});

const address = { url: "http://127.0.0.1:4817", secret: "s".repeat(43), isServer: true };
const isFound = () => readAddress(dataDir)?.url === address.url;
const untilFound = async () => {
  while (!isFound()) await Bun.sleep(LOOK_MS);
};

test("is written again after its folder is deleted, and not after the process has ended", async () => {
  const remove = writeAddress(dataDir, address, LOOK_MS);
  expect(isFound()).toBe(true);
  rmSync(join(runtime, "ctxrepo"), { recursive: true });
  expect(isFound()).toBe(false);
  await untilFound();
  expect(existsSync(cache)).toBe(false);
  remove();
  expect(isFound()).toBe(false);
});

test("is written again after something else wrote into it", async () => {
  const remove = writeAddress(dataDir, address, LOOK_MS);
  const folder = join(runtime, "ctxrepo");
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "garbage", { mode: 0o600 });
  expect(isFound()).toBe(false);
  await untilFound();
  remove();
});

test.each([
  ["is gone", () => {}],
  ["cannot be written", () => writeFileSync(runtime, "a file in its place")],
])("is written elsewhere if the runtime directory %s", async (_name, replace) => {
  const remove = writeAddress(dataDir, address, LOOK_MS);
  rmSync(runtime, { recursive: true });
  replace();
  await untilFound();
  expect(existsSync(cache)).toBe(true);
  remove();
  expect(isFound()).toBe(false);
});
