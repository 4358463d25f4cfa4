// One page in, its text as Markdown out. It knows no network and no storage; the steps are known here and nowhere else.

import { decodeText, looksBinary } from "./1-decode/charset.ts";
import { kindOf, readContentType } from "./1-decode/content-type.ts";
import { readMarkdown, readPlainText } from "./1-decode/text-pages.ts";
import { flattenDeepNesting } from "./2-parse/nesting.ts";
import { parseDocument } from "./2-parse/parse.ts";
import { type PageMetadata, readMetadata } from "./3-metadata/metadata.ts";
import { settleCode } from "./4-clean/code.ts";
import { settleFigures } from "./4-clean/figures.ts";
import { takeFootnotes } from "./4-clean/footnotes.ts";
import { removeFurniture } from "./4-clean/furniture.ts";
import { dropUnreadable } from "./4-clean/hidden.ts";
import { settleMath } from "./4-clean/math.ts";
import { restoreNoscriptImages } from "./4-clean/noscript-images.ts";
import { placeStreamedParts } from "./4-clean/streamed.ts";
import { chooseMain } from "./5-main-content/main-content.ts";
import { type Addresses, openAddresses } from "./6-html/links.ts";
import { escapeHtml, writeHtml } from "./6-html/write-html.ts";
import { toMarkdown } from "./7-markdown/markdown.ts";
import { ExtractionError } from "./errors.ts";
import { type DomDocument, plainText } from "./shared/dom.ts";
import { FOOTNOTE, type Footnote } from "./shared/footnote.ts";
import { bareWords } from "./shared/title.ts";

/** A page as it was fetched. */
export interface PageSource {
  /** At most 20 MB, decoded from its content encoding but not from its charset. */
  body: Uint8Array;
  /** The header's value; "" if there was none. */
  contentType: string;
  /** The address after all redirects. */
  url: string;
  /** False for the whole body, cleaned. */
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
}

/** A page with less text is drawn by a script; if it states its text as data, that is it. */
const DRAWN_BY_SCRIPT = 300;
const MAX_BODY_BYTES = 20 * 1024 * 1024;

/** Throws ExtractionError for what cannot be read; see its codes. */
export function extractPage(source: PageSource): ExtractedPage {
  const { body, contentType, url } = source;
  if (body.length > MAX_BODY_BYTES) throw new ExtractionError("TOO_LARGE", "the page is larger than 20 MB");
  const { mediaType, charset } = readContentType(contentType);
  const kind = kindOf(mediaType, new TextDecoder("latin1").decode(body.subarray(0, 1_024)));
  if (looksBinary(body, charset)) throw new ExtractionError("NOT_TEXT", "the page is not text");
  const text = decodeText(body, charset);
  if (kind === "text") return { ...readPlainText(text, url), contentHtml: null, rawHtml: null, metadata: {} };
  if (kind === "markdown")
    return { ...readMarkdown(text, url), contentHtml: null, rawHtml: null, metadata: {} };
  return extractHtml(text, source);
}

function extractHtml(html: string, { url, onlyMainContent }: PageSource): ExtractedPage {
  const document = parseDocument(flattenDeepNesting(html));
  const { title, isArticle, isForum, articleBody, metadata } = readMetadata(document);
  const notes = prepare(document, url);
  dropTitle(document, title);
  const base = document.querySelector("base[href]")?.getAttribute("href") ?? "";
  const keeps = onlyMainContent
    ? chooseMain(document, { isArticle, isForum: isForum || isThread(url) })
    : () => true;
  const addresses = openAddresses(url, base);
  const text = writeHtml(document.body, { addresses, keeps });
  const written = text + writeNotes(notes, text, addresses);
  const contentHtml =
    textLength(written) < DRAWN_BY_SCRIPT && articleBody ? paragraphs(articleBody) : written;
  return { title, markdown: toMarkdown(contentHtml), contentHtml, rawHtml: html, metadata };
}

/** The heading that only repeats the title: the title has a place of its own. */
function dropTitle(document: DomDocument, title: string): void {
  const wanted = bareWords(title);
  if (wanted === "") return;
  for (const heading of document.querySelectorAll("h1, h2")) {
    if (bareWords(plainText(heading)) !== wanted) continue;
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

/** Words in the addresses of threads, whatever runs the forum. */
function isThread(url: string): boolean {
  const { host, pathname } = URL.parse(url) ?? { host: "", pathname: "" };
  return (
    /^(?:forums?|community|discuss|discourse)\./.test(host) ||
    /\/(?:forums?|threads?|viewtopic(?:\.php)?|showthread(?:\.php)?|discussions?|questions|t|topic\/\d)(?:[/-]|$)/i.test(
      pathname,
    )
  );
}

/** The notes whose marks stand in the text. */
function writeNotes(notes: readonly Footnote[], text: string, addresses: Addresses): string {
  const marked = notes.filter(({ label }) => text.includes(` ${FOOTNOTE}="${label}"`));
  const all = { addresses, keeps: () => true };
  return marked
    .map(({ label, content }) => `\n<aside ${FOOTNOTE}="${label}">${writeHtml(content, all)}</aside>`)
    .join("");
}

/**
 * Formulas, code and images take the form in which cleaning cannot hurt them; then machinery and hidden parts go. Returns
 * the footnotes, which stand apart from now on.
 */
function prepare(document: DomDocument, url: string): Footnote[] {
  placeStreamedParts(document);
  settleMath(document);
  restoreNoscriptImages(document);
  settleCode(document);
  dropUnreadable(document);
  settleFigures(document);
  const notes = takeFootnotes(document, url);
  removeFurniture(document);
  return notes;
}
