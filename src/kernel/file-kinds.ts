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
] as const;

export type FileKind = (typeof FILE_KINDS)[number];
