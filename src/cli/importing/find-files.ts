// Finds the files of an import: walks folders, leaves out hidden and ignored names, and does not follow links.

import { type Dirent, lstatSync, readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { EXPORT_INDEX, EXPORT_ONLY_FOLDERS, type ExportIndex } from "../../importing/export-layout.ts";
import {
  CODE_TYPE,
  isContainer,
  isLeftOut,
  isLockFile,
  isPackageLock,
  LOCK_FILE,
  OTHER_TYPE,
  PACKAGE_LOCK,
  typeOf,
} from "../../importing/file-types.ts";
import type { IgnoreRules } from "../../importing/ignore-rules.ts";
import { readExportIndex } from "../export-index.ts";
import { pathProblem } from "../regular-file.ts";
import { isPathIgnored, rulesAbove, rulesInside, rulesOf } from "./ignore-rules.ts";

/** A path that was given to the command and exists. */
interface Root {
  /** The real path. */
  path: string;
  isFolder: boolean;
  /** The collections of an exported folder. */
  index?: ExportIndex;
}

export interface FoundFile {
  /** The real path. */
  path: string;
  root: Root;
}

export interface FoundFiles {
  roots: Root[];
  files: FoundFile[];
  /** Files of other types, and links. */
  skipped: { path: string; reason: string }[];
  /** The number of files and folders that a .gitignore or --exclude leaves out; those inside are not counted. */
  ignored: number;
  /** The parts of files of several documents that this import has read, by the paths of these files. */
  unpacked: Map<string, string[]>;
  /** Files and folders that could not be read. */
  failed: { path: string; reason: string }[];
}

/** Which files of folders are wanted. */
interface Selection {
  /** Only files of these types; all if empty. */
  kinds: readonly string[];
  /** Patterns as in a .gitignore at the top of each folder; they take precedence over those files. */
  exclude: readonly string[];
}

/**
 * Finds the files at the given paths, each once, in the order of their names. A path that is missing, or a file that is
 * none of the types, is a failure.
 */
export function findFiles(paths: readonly string[], { kinds, exclude }: Selection): FoundFiles {
  const found: FoundFiles = {
    roots: [],
    files: [],
    skipped: [],
    ignored: 0,
    unpacked: new Map(),
    failed: [],
  };
  const seen = new Set<string>();
  for (const given of paths) {
    try {
      // The system would read an empty path, such as an unset variable of a script, as the current folder.
      if (given === "") throw Object.assign(new Error("the path is empty"), { code: "ENOENT" });
      const path = realpathSync(given);
      const stats = statSync(path);
      const root: Root = { path, isFolder: stats.isDirectory() };
      found.roots.push(root);
      if (!root.isFolder) {
        addNamed(root, stats, { found, seen, kinds });
        continue;
      }
      const isExport = findIndex(root, found);
      const inside = { found, seen, root, isExport, kinds, excluded: rulesOf(exclude, path) };
      walkFolder(path, rulesInside(rulesAbove(path), path), inside);
    } catch (error) {
      found.failed.push({ path: given, reason: pathProblem(error) });
    }
  }
  return found;
}

/**
 * Reads the collections of an exported folder into its root. Returns whether it is one; one that is damaged is a
 * failure, too.
 */
function findIndex(root: Root, { failed }: FoundFiles): boolean {
  try {
    root.index = readExportIndex(root.path);
    return root.index !== undefined;
  } catch (error) {
    failed.push({ path: join(root.path, EXPORT_INDEX), reason: pathProblem(error) });
    return true;
  }
}

interface Inside {
  found: FoundFiles;
  seen: Set<string>;
  root: Root;
  /** Whether the root was written by `export`. */
  isExport: boolean;
  kinds: readonly string[];
  /** What the command leaves out. */
  excluded: IgnoreRules;
}

/** A file that was named must be one that can be imported. */
function addNamed(
  root: Root,
  stats: Pick<Dirent, "isFile">,
  { found, seen, kinds }: Pick<Inside, "found" | "seen" | "kinds">,
): void {
  const { path } = root;
  const reason = stats.isFile() ? unwantedType(path, kinds) : "is not a regular file";
  if (reason !== undefined) found.failed.push({ path, reason });
  else if (!seen.has(path)) {
    seen.add(path);
    found.files.push({ path, root });
  }
}

/** Recursion is as deep as the folders, whose paths the system bounds. */
function walkFolder(folder: string, rules: IgnoreRules, inside: Inside): void {
  const { found, root, isExport, excluded } = inside;
  let entries: Dirent[];
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    found.failed.push({ path: folder, reason: pathProblem(error) });
    return;
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (isUnreadableName(path)) {
      found.failed.push({ path, reason: "its name is not valid UTF-8: rename it" });
      continue;
    }
    if (isLeftOut(entry.name)) continue;
    const isFolder = entry.isDirectory();
    if (isPathIgnored(excluded, path, isFolder) || isPathIgnored(rules, path, isFolder)) {
      found.ignored++;
      continue;
    }
    if (isExport && folder === root.path) {
      if (entry.name === EXPORT_INDEX || EXPORT_ONLY_FOLDERS.has(entry.name)) continue;
    }
    if (isFolder) walkFolder(path, rulesInside(rules, path), inside);
    else if (entry.isSymbolicLink()) addLink(path, inside);
    else addFile(path, entry, inside);
  }
}

/** Bytes that are not UTF-8 are read as U+FFFD, and nothing is found at such a path. */
function isUnreadableName(path: string): boolean {
  return basename(path).includes("\ufffd") && lstatSync(path, { throwIfNoEntry: false }) === undefined;
}

/** A link is left out: its target is imported itself if it is in the folder, and not wanted otherwise. */
function addLink(path: string, { found, root }: Inside): void {
  try {
    const target = realpathSync(path);
    const isInside = target === root.path || target.startsWith(root.path + sep);
    if (statSync(target).isFile() && typeOf(path) === undefined) return;
    found.skipped.push({
      path,
      reason: isInside ? "is a link inside the folder" : "is a link out of the folder",
    });
  } catch {
    found.skipped.push({ path, reason: "is a link to nothing" });
  }
}

function addFile(
  path: string,
  entry: Pick<Dirent, "isFile" | "name">,
  { found, seen, root, kinds }: Inside,
): void {
  const type = typeOf(path);
  const unwanted = unwantedType(path, kinds);
  if (!entry.isFile()) found.skipped.push({ path, reason: "is not a regular file" });
  else if (isLockFile(entry.name)) found.skipped.push({ path, reason: LOCK_FILE });
  else if (isPackageLock(entry.name)) found.skipped.push({ path, reason: PACKAGE_LOCK });
  else if (unwanted !== undefined) found.skipped.push({ path, reason: OTHER_TYPE });
  else if (kinds.length > 0 && !kinds.includes(type!)) {
    found.skipped.push({ path, reason: "left out by --kind" });
  } else if (!seen.has(path)) {
    seen.add(path);
    found.files.push({ path, root });
  }
}

/** Why files of this type are not imported; source code is only if that was asked for. */
function unwantedType(path: string, kinds: readonly string[]): string | undefined {
  const type = typeOf(path);
  if (type === undefined) return OTHER_TYPE;
  return type === "code" && !kinds.includes(type) ? CODE_TYPE : undefined;
}

/**
 * Whether a file that was not found is certainly gone: nothing is at its path, and its folders could be read. A part of
 * a file of several documents is gone if this import has read that file.
 */
export function isGone(path: string, { failed, unpacked }: Pick<FoundFiles, "failed" | "unpacked">): boolean {
  if (failed.some((failure) => path === failure.path || path.startsWith(failure.path + sep))) return false;
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === "ENOTDIR") return unpackedAround(path, unpacked);
    return code === "ENOENT";
  }
}

/** Whether the file that is in place of a folder of this path is none of several documents, or was read. */
function unpackedAround(path: string, unpacked: FoundFiles["unpacked"]): boolean {
  for (let place = dirname(path); place !== dirname(place); place = dirname(place))
    if (isFile(place)) return !isContainer(typeOf(place)) || unpacked.has(place);
  return true;
}

function isFile(path: string): boolean {
  try {
    return lstatSync(path).isFile();
  } catch {
    return false;
  }
}
