// The models as executables contain them: the same weights, although what two of them have in common is stored once.

import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stageModels } from "../../../scripts/packaging/stage.ts";
import { assetPath } from "../../../src/base/assets.ts";
import { PARTS_ENDING, readModelFile } from "../../../src/engine/inference/compressed.ts";
import { sha256Hex } from "../../../src/kernel/hash.ts";

const folder = mkdtempSync(join(tmpdir(), "ctxrepo-models-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const MODELS = assetPath("models");
const WEIGHTS = "onnx/model_quantized.onnx";

test("every model has its weights and its tokenizer, in less room than each compressed by itself", async () => {
  stageModels(join(folder, "models"));
  for (const model of readdirSync(MODELS))
    for (const name of [WEIGHTS, "tokenizer.json"]) {
      const staged = await readModelFile(join(folder, "models", model), name);
      expect(sha256Hex(staged!)).toBe(sha256Hex(readFileSync(join(MODELS, model, name))));
    }
  const files = readdirSync(join(folder, "models"), { recursive: true, encoding: "utf8" });
  const bytes = files.reduce((sum, name) => sum + statSync(join(folder, "models", name)).size, 0);
  expect(bytes).toBeLessThan(99e6);
}, 60_000);

test("a file in parts is all of them; a part of another length is an error", async () => {
  writeFileSync(join(folder, "a"), "four");
  writeFileSync(join(folder, "b.zst"), Bun.zstdCompressSync("six"));
  const parts = (bytes: number) =>
    writeFileSync(
      join(folder, `whole${PARTS_ENDING}`),
      JSON.stringify([
        { path: "a", bytes: 4 },
        { path: "b.zst", bytes },
      ]),
    );
  parts(3);
  expect(await readModelFile(folder, "whole")).toEqual(new TextEncoder().encode("foursix"));
  parts(4);
  await expect(readModelFile(folder, "whole")).rejects.toThrow("b.zst does not have 4 bytes");
});
