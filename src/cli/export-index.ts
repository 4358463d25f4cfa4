// Reads the index of collections of an exported folder.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { EXPORT_INDEX, type ExportIndex, parseExportIndex } from "../importing/export-layout.ts";

/** The index of an exported folder; undefined if the folder has none. */
export function readExportIndex(folder: string): ExportIndex | undefined {
  try {
    return parseExportIndex(readFileSync(join(folder, EXPORT_INDEX), "utf8"));
  } catch {
    return undefined;
  }
}
