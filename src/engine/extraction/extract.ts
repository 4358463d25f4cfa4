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
import { ExtractionError } from "./errors.ts";
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
  /** Those of the front matter of Markdown. */
  tags?: string[];
  leftOut: LeftOut[];
}

/** A page with less text is rendered by a script; its text is then read from JSON-LD if that contains it. */
const MIN_TEXT_LENGTH = 300;
export const MAX_BODY_BYTES = 20 * 1024 * 1024;

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

/** The steps for HTML, in the order of the folders. */
export function extractHtml(html: string, { url, onlyMainContent }: PageSource): ExtractedPage {
  const document = parseDocument(flattenDeepNesting(html));
  const { title, isArticle, isForum, articleBody, metadata } = readMetadata(document);
  const leftOut = countLeftOut();
  countFrames(document, leftOut);
  const footnotes = clean(document, url);
  removeTitle(document, title);
  const { isSelected, aside } = onlyMainContent
    ? findMainContent(document, { isArticle, isForum: isForum || isThread(url) })
    : { isSelected: () => true, aside: 0 };
  leftOut.add("aside", aside);
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
