// Extracts the text of a file of another program as Markdown, and of the files inside of it.

import { type FileKind, KIND_OF_ENDING } from "../../kernel/file-kinds.ts";
import { countLeftOut, type LeftOut } from "../../kernel/left-out.ts";
import { contentsOf, ExtractionError } from "./errors.ts";
import { extractHtml, extractPage, MAX_BODY_BYTES } from "./extract.ts";
import type { PageMetadata } from "./3-metadata/metadata.ts";
import type { FileContents } from "./office/contents.ts";

/** Reads a file; `ending` is that of its name, in lower case. */
type Reader = (bytes: Uint8Array, ending: string) => Promise<FileContents>;

/** The readers of files by kind. They are loaded on demand, because their libraries take a moment. */
const READERS: Record<FileKind, () => Promise<Reader>> = {
  pdf: async () => (await import("./office/pdf.ts")).readPdf,
  docx: async () => (await import("./office/docx.ts")).readDocx,
  xlsx: async () => (await import("./office/xlsx.ts")).readXlsx,
  pptx: async () => (await import("./office/pptx.ts")).readPptx,
  csv: async () => (await import("./office/csv.ts")).readCsv,
  epub: async () => (await import("./office/epub.ts")).readEpub,
  notebook: async () => (await import("./office/notebook.ts")).readNotebook,
  mail: async () => (await import("./office/mail.ts")).readMail,
  subtitles: async () => (await import("./office/subtitles.ts")).readSubtitles,
  data: async () => (await import("./office/data.ts")).readData,
  code: async () => (await import("./office/code.ts")).readCode,
  markup: async () => (await import("./office/markup.ts")).readMarkup,
};

/** A file of another program. */
export interface FileSource {
  body: Uint8Array;
  kind: FileKind;
  /** The file's address, against which links are resolved. */
  url: string;
}

export interface ExtractedFile {
  /** "" if the file has none. */
  title: string;
  markdown: string;
  metadata: PageMetadata;
  leftOut: LeftOut[];
}

/** Extracts the text of a file as Markdown, with that of the files inside. Throws ExtractionError; see its codes. */
export async function extractFile(source: FileSource): Promise<ExtractedFile> {
  const { file, attachments } = await readContents(source);
  const extracted = await withAttachments(file, attachments, { left: MAX_ATTACHMENTS, depth: 1 });
  checkLength(extracted.markdown);
  return extracted;
}

type Attachments = NonNullable<FileContents["attachments"]>;

async function readContents({
  body,
  kind,
  url,
}: FileSource): Promise<{ file: ExtractedFile; attachments: Attachments }> {
  const read = await READERS[kind]();
  const contents = await contentsOf(() => read(body, endingOf(URL.parse(url)?.pathname ?? "")));
  const { title, metadata, leftOut, attachments = [] } = contents;
  const text = "html" in contents ? contents.html : contents.markdown;
  checkLength(text);
  if ("markdown" in contents) {
    const markdown = text.toWellFormed();
    return { file: { title: title ?? "", markdown, metadata, leftOut }, attachments };
  }
  const page = extractHtml(text, { body, contentType: "text/html", url, onlyMainContent: false });
  const { markdown } = page;
  const file = { title: title ?? page.title, markdown, metadata: { ...page.metadata, ...metadata }, leftOut };
  return { file, attachments };
}

function checkLength(text: string): void {
  if (text.length > MAX_BODY_BYTES)
    throw new ExtractionError("TOO_LARGE", "the text of the file is larger than 20 MB");
}

const endingOf = (name: string) => /\.([^./]*)$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** The contents of a file inside of another; undefined if it is of no known kind. */
async function readAttachment(
  name: string,
  body: Uint8Array,
): Promise<Awaited<ReturnType<typeof readContents>> | undefined> {
  const ending = endingOf(name);
  const url = `file:///${encodeURIComponent(name)}`;
  const kind = KIND_OF_ENDING[ending];
  if (kind !== undefined) return readContents({ body, kind, url });
  if (!/^(?:html?|md|markdown|txt)$/.test(ending)) return undefined;
  const type = ending.startsWith("htm") ? "text/html" : "text/plain";
  const page = extractPage({ body, contentType: type, url, onlyMainContent: false });
  return { file: { ...page, metadata: {} }, attachments: [] };
}

/** Files inside of a file that are read, also those inside of these. */
const MAX_ATTACHMENTS = 50;
/** Levels of mails in mails. */
const MAX_DEPTH = 3;

/** The file with the texts of those inside, each below its name. What cannot be read is counted. */
async function withAttachments(
  file: ExtractedFile,
  attachments: Attachments,
  budget: { left: number; depth: number },
): Promise<ExtractedFile> {
  const leftOut = countLeftOut();
  const parts = [file.markdown];
  for (const { kind, count } of file.leftOut) leftOut.add(kind, count);
  for (const { name, body } of attachments) {
    try {
      const inner =
        budget.left-- > 0 && budget.depth <= MAX_DEPTH ? await readAttachment(name, body) : undefined;
      if (!inner) {
        leftOut.add("attachment");
        continue;
      }
      budget.depth++;
      const whole = await withAttachments(inner.file, inner.attachments, budget);
      budget.depth--;
      for (const { kind: lost, count } of whole.leftOut) leftOut.add(lost, count);
      if (whole.markdown.trim() !== "") parts.push(`## ${name.replace(/\s+/g, " ")}\n\n${whole.markdown}`);
    } catch (error) {
      if (!(error instanceof ExtractionError)) throw error;
      leftOut.add("attachment");
    }
  }
  return { ...file, markdown: parts.join("\n\n"), leftOut: leftOut.all() };
}
