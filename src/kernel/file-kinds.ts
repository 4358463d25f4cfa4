// The kinds of files that a process reads as Markdown, besides web pages. Must run in a browser, too.

export const FILE_KINDS = [
  "pdf",
  "docx",
  "xlsx",
  "pptx",
  "csv",
  "epub",
  "notebook",
  "mail",
  "subtitles",
  "data",
  "markup",
  "code",
] as const;

/** Kinds of files that contain several documents. */
export const CONTAINER_KINDS = ["mailbox", "notes", "archive"] as const;

export type ContainerKind = (typeof CONTAINER_KINDS)[number];

export type FileKind = (typeof FILE_KINDS)[number];

/** The kinds by the endings of names, in lower case. */
export const KIND_OF_ENDING: Readonly<Record<string, FileKind>> = {
  pdf: "pdf",
  docx: "docx",
  xlsx: "xlsx",
  xlsm: "xlsx",
  pptx: "pptx",
  csv: "csv",
  tsv: "csv",
  epub: "epub",
  ipynb: "notebook",
  eml: "mail",
  srt: "subtitles",
  vtt: "subtitles",
  json: "data",
  yaml: "data",
  yml: "data",
  toml: "data",
  rst: "markup",
  org: "markup",
  adoc: "markup",
  asciidoc: "markup",
  tex: "markup",
};

/** Endings of source code, which is imported only on request. */
export const CODE_ENDINGS = (
  "bash c cc cjs clj cpp cs css cxx dart el ex exs fs go h hpp hs java jl js jsx kt kts lua mjs m ml php pl proto ps1 py r rb " +
  "rs scala scss sh sql svelte swift tf ts tsx vue zig"
).split(" ");
