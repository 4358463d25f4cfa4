// Finds the folders of the models.

import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { assetPath } from "./assets.ts";
import { Failure } from "../kernel/errors.ts";

const SHIPPED_MODEL = "models/all-MiniLM-L6-v2";
const MULTILINGUAL_MODEL = "models/multilingual-e5-small";
const READER = "models/passage-reader";
const isModel = (directory: string) => existsSync(join(directory, "config.json"));

/**
 * The folder of the model: the shipped one, or `modelsDir` (--models-dir), or the only model folder in that. Throws
 * `bad-request` if there is none or more than one.
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
  const [only, ...others] = inside;
  if (only !== undefined && others.length === 0) return only;
  throw new Failure(
    "bad-request",
    `--models-dir ${modelsDir} is neither a model (a folder with config.json) nor a folder with exactly one`,
  );
}

/** The folder of the shipped second model, for other languages than English. */
export const multilingualDirectory = () => assetPath(MULTILINGUAL_MODEL);

/** The folder of the shipped reading model. */
export const readerDirectory = () => assetPath(READER);
