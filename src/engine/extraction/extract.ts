// Extracts the text of one fetched page as Markdown. This file lists the steps; each numbered folder is one step. It
// uses no network and no storage.

import { decodeText, looksBinary } from "./shared/charset.ts";
import { kindOf, readContentType } from "./1-decode/content-type.ts";
import { readMarkdown, readPlainText } from "./1-decode/text-pages.ts";
import { flattenDeepNesting } from "./2-parse/nesting.ts";
import { parseDocument } from "./2-parse/parse.ts";
import { type PageMetadata, readMetadata } from "./3-metadata/metadata.ts";
import { replaceAriaTables } from "./4-clean/aria-tables.ts";
import { normalizeCode } from "./4-clean/code.ts";
import { moveCaptions } from "./4-clean/figures.ts";
import { extractFootnotes } from "./4-clean/footnotes.ts";
import { countFrames } from "./4-clean/frames.ts";
import { normalizeToolForms } from "./4-clean/forms-of-tools.ts";
import { nameHeadings } from "./4-clean/heading-ids.ts";
import { removeHidden } from "./4-clean/hidden.ts";
import { normalizeMath } from "./4-clean/math.ts";
import { restoreNoscriptImages } from "./4-clean/noscript-images.ts";
import { removePageControls } from "./4-clean/page-controls.ts";
import { keepSpokenTexts } from "./4-clean/spoken.ts";
import { placeStreamedParts } from "./4-clean/streamed.ts";
import { labelTabs } from "./4-clean/tabs.ts";
import { findMainContent } from "./5-main-content/main-content.ts";
import { type Addresses, openAddresses } from "./6-html/links.ts";
import { writeHtml } from "./6-html/write-html.ts";
import { toMarkdown } from "./7-markdown/markdown.ts";
import { messageOf } from "../../kernel/errors.ts";
import { ExtractionError } from "./errors.ts";
import type { FileKind } from "../../kernel/file-kinds.ts";
import type { FileContents } from "./office/contents.ts";
import { type DomDocument, plainText } from "./shared/dom.ts";
import { FOOTNOTE, type Footnote } from "./shared/footnote.ts";
import { countLeftOut, type LeftOut } from "../../kernel/left-out.ts";
import { escapeHtml } from "./shared/text.ts";
import { normalizedWords } from "./shared/title.ts";

/** A fetched page. */
export interface PageSource {
  /** At most 20 MB, decoded from its content encoding but not from its charset. */
  body: Uint8Array;
  /** The header's value; "" if there was none. */
  contentType: string;
  /** The final address, after all redirects. */
  url: string;
  /** True for the main content only, false for the whole cleaned body. */
  onlyMainContent: boolean;
}

export interface ExtractedPage {
  /** "" if the page has none. */
  title: string;
  markdown: string;
  /** The HTML that the Markdown was written from; null for text and Markdown. */
  contentHtml: string | null;
  /** The page as fetched, decoded to text; null for text and Markdown. */
  rawHtml: string | null;
  metadata: PageMetadata;
  leftOut: LeftOut[];
}

/** A page with less text is rendered by a script; its text is then read from JSON-LD if that contains it. */
const MIN_TEXT_LENGTH = 300;
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** Extracts the text of one page as Markdown. Throws ExtractionError; see its codes. */
export function extractPage(source: PageSource): ExtractedPage {
  const { body, contentType, url } = source;
  if (body.length > MAX_BODY_BYTES) throw new ExtractionError("TOO_LARGE", "the page is larger than 20 MB");
  const { mediaType, charset } = readContentType(contentType);
  const kind = kindOf(mediaType, new TextDecoder("latin1").decode(body.subarray(0, 1_024)));
  if (looksBinary(body, charset)) throw new ExtractionError("NOT_TEXT", "the page is not text");
  const text = decodeText(body, charset);
  if (kind === "html") return extractHtml(text, source);
  const read = kind === "markdown" ? readMarkdown(text, url) : readPlainText(text, url);
  return { metadata: {}, ...read, contentHtml: null, rawHtml: null, leftOut: [] };
}

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

/** Extracts the text of a file as Markdown. Throws ExtractionError; see its codes. */
export async function extractFile({ body, kind, url }: FileSource): Promise<ExtractedFile> {
  const read = await READERS[kind]();
  const ending = /\.([^./]*)$/.exec(URL.parse(url)?.pathname ?? "")?.[1]?.toLowerCase() ?? "";
  const contents = await contentsOf(() => read(body, ending));
  const { title, metadata, leftOut } = contents;
  const text = "html" in contents ? contents.html : contents.markdown;
  if (text.length > MAX_BODY_BYTES) {
    throw new ExtractionError("TOO_LARGE", "the text of the file is larger than 20 MB");
  }
  if ("markdown" in contents) {
    const markdown = text.toWellFormed();
    return { title: title ?? "", markdown, metadata, leftOut };
  }
  const page = extractHtml(text, { body, contentType: "text/html", url, onlyMainContent: false });
  const { markdown } = page;
  return { title: title ?? page.title, markdown, metadata: { ...page.metadata, ...metadata }, leftOut };
}

/** What a reader finds. Throws ExtractionError also for the errors of libraries. */
async function contentsOf(read: () => Promise<FileContents>): Promise<FileContents> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ExtractionError) throw error;
    const reason = error instanceof RangeError ? "it is nested too deeply" : messageOf(error);
    throw new ExtractionError("NOT_TEXT", `the file cannot be read: ${reason}`, { cause: error });
  }
}

/** The steps for HTML, in the order of the folders. */
function extractHtml(html: string, { url, onlyMainContent }: PageSource): ExtractedPage {
  const document = parseDocument(flattenDeepNesting(html));
  const { title, isArticle, isForum, articleBody, metadata } = readMetadata(document);
  const leftOut = countLeftOut();
  countFrames(document, leftOut);
  const footnotes = clean(document, url);
  removeTitle(document, title);
  const isSelected = onlyMainContent
    ? findMainContent(document, { isArticle, isForum: isForum || isThread(url) })
    : () => true;
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const addresses = openAddresses(url, base);
  const mainHtml = writeHtml(document.body, { addresses, isSelected });
  const written = mainHtml + writeFootnotes(footnotes, mainHtml, addresses);
  const contentHtml =
    textLength(written) < MIN_TEXT_LENGTH && articleBody ? paragraphs(articleBody) : written;
  const markdown = toMarkdown(contentHtml);
  return { title, markdown, contentHtml, rawHtml: html, metadata, leftOut: leftOut.all() };
}

/**
 * The cleaning step. Formulas, code and images are normalized before hidden elements and scripts are removed, because
 * they may contain some. Returns the footnotes, which are no longer in the document.
 */
function clean(document: DomDocument, url: string): Footnote[] {
  placeStreamedParts(document);
  nameHeadings(document);
  labelTabs(document);
  replaceAriaTables(document);
  normalizeToolForms(document);
  normalizeMath(document);
  restoreNoscriptImages(document);
  normalizeCode(document);
  keepSpokenTexts(document);
  removeHidden(document);
  moveCaptions(document);
  const footnotes = extractFootnotes(document, url);
  removePageControls(document);
  return footnotes;
}

/** Removes the first heading that repeats the title: the title is returned separately. */
function removeTitle(document: DomDocument, title: string): void {
  const wanted = normalizedWords(title);
  if (wanted === "") return;
  for (const heading of document.querySelectorAll("h1, h2")) {
    if (normalizedWords(plainText(heading)) !== wanted) continue;
    heading.remove();
    return;
  }
}

function textLength(html: string): number {
  return html.replace(/<[^>]*>/g, "").trim().length;
}

function paragraphs(text: string): string {
  const parts = text.split(/\n+/).filter((part) => part.trim() !== "");
  return parts.map((part) => `<p>${escapeHtml(part.trim())}</p>`).join("\n");
}

/** Whether an address looks like a thread of a forum. */
function isThread(url: string): boolean {
  const { host, pathname } = URL.parse(url) ?? { host: "", pathname: "" };
  return (
    /^(?:forums?|community|discuss|discourse)\./.test(host) ||
    /\/(?:forums?|threads?|viewtopic(?:\.php)?|showthread(?:\.php)?|discussions?|questions|t|topic\/\d)(?:[/-]|$)/i.test(
      pathname,
    )
  );
}

/** The footnotes whose marks are in the HTML that was written. */
function writeFootnotes(footnotes: readonly Footnote[], html: string, addresses: Addresses): string {
  const marked = footnotes.filter(({ label }) => html.includes(` ${FOOTNOTE}="${label}"`));
  const all = { addresses, isSelected: () => true };
  return marked
    .map(({ label, content }) => `\n<aside ${FOOTNOTE}="${label}">${writeHtml(content, all)}</aside>`)
    .join("");
}
