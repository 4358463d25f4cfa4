// Which files are imported, by their names and sizes. Must run in a browser, too.

import { LIMITS } from "../kernel/limits.ts";

const MB = 1024 * 1024;
/** Front matter can be as large as metadata. The text itself is checked by the API. */
const MAX_TEXT_BYTES = LIMITS.document.textBytes + LIMITS.metadata.bytes;
/** Most of a PDF or Word file are pictures and fonts. */
const MAX_OFFICE_BYTES = 64 * MB;

export type FileType = "markdown" | "html" | "text" | "pdf" | "docx";

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

/** The name of a file with rules for the files of its folder. */
export const IGNORE_FILE = ".gitignore";

/** What is wrong with the size of a file of this type; undefined if it can be imported. */
export function sizeProblem(type: FileType | undefined, bytes: number): string | undefined {
  const maximum = type === "pdf" || type === "docx" ? MAX_OFFICE_BYTES : MAX_TEXT_BYTES;
  return bytes > maximum ? `is larger than ${Math.floor(maximum / MB)} MB` : undefined;
}
