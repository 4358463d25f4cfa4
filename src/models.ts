// Finds the folder of the embedding model to use.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { assetPath } from "./assets.ts";
import { Failure } from "./kernel/errors.ts";

const SHIPPED_MODEL = "models/all-MiniLM-L6-v2";
const isModel = (directory: string) => existsSync(join(directory, "config.json"));

/**
 * The shipped model's folder, or the one that `--models-dir` names: itself a model's folder, or a folder that holds exactly
 * one. Throws `bad-request` when it is neither.
 */
export function findModelDirectory(modelsDir: string | null): string {
  if (modelsDir === null) return assetPath(SHIPPED_MODEL);
  const directory = resolve(modelsDir);
  if (isModel(directory)) return directory;
  const inside = existsSync(directory)
    ? readdirSync(directory)
        .map((name) => join(directory, name))
        .filter(isModel)
    : [];
  if (inside.length === 1) return inside[0];
  throw new Failure(
    "bad-request",
    `--models-dir ${modelsDir} does not hold one model (a folder with config.json)`,
  );
}
