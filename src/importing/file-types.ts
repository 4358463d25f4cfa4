// Which files are imported, by their names and sizes. Must run in a browser, too.

import { Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const MB = 1024 * 1024;
/** Of a text with its front matter. The text itself is checked by the API. */
const MAX_TEXT_BYTES = LIMITS.document.textBytes + LIMITS.frontMatter.bytes;
/** Most of a PDF or Word file are pictures and fonts. */
const MAX_OFFICE_BYTES = 64 * MB;

export const FILE_TYPES = ["markdown", "html", "text", "pdf", "docx"] as const;
export type FileType = (typeof FILE_TYPES)[number];

const TYPES: Record<string, FileType> = {
  md: "markdown",
  markdown: "markdown",
  mdx: "markdown",
  txt: "text",
  html: "html",
  htm: "html",
  pdf: "pdf",
  docx: "docx",
};

/** The type of a file by its name; undefined if it is not imported. */
export function typeOf(name: string): FileType | undefined {
  const [, extension = ""] = /[^/\\]\.([^./\\]+)$/.exec(name) ?? [];
  return TYPES[extension.toLowerCase()];
}

/** Why a file of another type is left out, for people. */
export const OTHER_TYPE = "is not a Markdown, text, HTML, PDF or Word file";

/** Whether files and folders of this name are never imported. */
export const isLeftOut = (name: string) => name.startsWith(".") || name === "node_modules";

/** What office programs write beside an open file: `~$report.docx`. LibreOffice's have hidden names. */
export const isLockFile = (name: string) => name.startsWith("~$");
export const LOCK_FILE = "is the lock file of an office program";

/** The name of a file with rules for the files of its folder. */
export const IGNORE_FILE = ".gitignore";
/** A larger one is not read: its rules are compared with every path. */
export const MAX_IGNORE_BYTES = 64 * 1024;

/** How large a file of this type can be to be imported, in bytes. */
export function maxBytesOf(type: FileType | undefined): number {
  return type === "pdf" || type === "docx" ? MAX_OFFICE_BYTES : MAX_TEXT_BYTES;
}

/** The failure of a file that has more bytes than it may have. */
export function tooLarge(maxBytes: number): Failure {
  return new Failure("too-large", `is larger than ${Math.floor(maxBytes / MB)} MB`);
}
