// Which files are imported, by their names and sizes. Must run in a browser, too.

import {
  CODE_ENDINGS,
  CONTAINER_KINDS,
  type ContainerKind,
  FILE_KINDS,
  type FileKind,
  KIND_OF_ENDING,
} from "../kernel/file-kinds.ts";
import { Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const MB = 1024 * 1024;
/** Of a text with its front matter. The text itself is checked by the API. */
const MAX_TEXT_BYTES = LIMITS.document.textBytes + LIMITS.frontMatter.bytes;
/** Most of such a file are pictures, fonts and formats. */
const MAX_OFFICE_BYTES = 64 * MB;

export const FILE_TYPES = ["markdown", "html", "text", ...FILE_KINDS, ...CONTAINER_KINDS] as const;
export type FileType = (typeof FILE_TYPES)[number];

const TYPES: Record<string, FileType> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  txt: "text",
  html: "html",
  htm: "html",
  ...KIND_OF_ENDING,
  mbox: "mailbox",
  enex: "notes",
  zip: "archive",
  ...Object.fromEntries(CODE_ENDINGS.map((ending) => [ending, "code" as const])),
};

/** The endings of files that a file of several documents may contain. */
export const PART_ENDINGS = Object.keys(TYPES).filter(
  (ending) => TYPES[ending] !== "code" && !isContainer(TYPES[ending]),
);

/** Whether files of this type contain several documents. */
export function isContainer(type: FileType | undefined): type is ContainerKind {
  return (CONTAINER_KINDS as readonly string[]).includes(type ?? "");
}

/** Whether a process reads files of this type. */
export const isExtracted = (type: FileType | undefined): type is FileKind =>
  (FILE_KINDS as readonly string[]).includes(type ?? "");

/** The type of a file by its name; undefined if it is not imported. */
export function typeOf(name: string): FileType | undefined {
  const [, extension = ""] = /[^/\\]\.([^./\\]+)$/.exec(name) ?? [];
  return TYPES[extension.toLowerCase()];
}

/** Why a file of another type is left out, for people. */
export const OTHER_TYPE = "is not a known kind of file";

/** Why a file is left out that only the command reads. */
export const COMMAND_ONLY = "is read by `ctxrepo import` only";
/** Why source code is left out. */
export const CODE_TYPE = "is source code: --code imports it";

/** Whether files and folders of this name are never imported. */
export const isLeftOut = (name: string) => name.startsWith(".") || name === "node_modules";

/** What office programs write beside an open file: `~$report.docx`. LibreOffice's have hidden names. */
export const isLockFile = (name: string) => name.startsWith("~$");
/** Whether a package manager writes files of this name. */
export const isPackageLock = (name: string) =>
  /^(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml)$/i.test(name);
export const PACKAGE_LOCK = "is written by a package manager";
export const LOCK_FILE = "is the lock file of an office program";

/** The name of a file with rules for the files of its folder. */
export const IGNORE_FILE = ".gitignore";
/** A larger one is not read: its rules are compared with every path. */
export const MAX_IGNORE_BYTES = 64 * 1024;

/** How large a file of this type can be to be imported, in bytes. */
export function maxBytesOf(type: FileType | undefined): number {
  return isContainer(type) || (isExtracted(type) && type !== "data" && type !== "code")
    ? MAX_OFFICE_BYTES
    : MAX_TEXT_BYTES;
}

/** The failure of a file that has more bytes than it may have. */
export function tooLarge(maxBytes: number): Failure {
  return new Failure("too-large", `is larger than ${Math.floor(maxBytes / MB)} MB`);
}
