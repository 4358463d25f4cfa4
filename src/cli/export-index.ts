// Reads the index of collections of an exported folder.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "../importing/decode.ts";
import {
  EXPORT_INDEX,
  type ExportIndex,
  MAX_INDEX_BYTES,
  parseExportIndex,
} from "../importing/export-layout.ts";
import { readRegularFile } from "./regular-file.ts";

/** Whether a folder has a file with the name of the index. */
export function hasExportIndex(folder: string): boolean {
  return lstatSync(join(folder, EXPORT_INDEX), { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * The index of an exported folder, given by its real path; undefined if \`export\` has not written the folder. Throws a
 * Failure if the index cannot be read.
 */
export function readExportIndex(folder: string): ExportIndex | undefined {
  if (!hasExportIndex(folder)) return undefined;
  return parseExportIndex(decodeText(readRegularFile(join(folder, EXPORT_INDEX), MAX_INDEX_BYTES)));
}
