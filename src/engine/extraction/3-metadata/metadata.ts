// Reads the metadata of a page: title, author, site, date, language, summary. Sources are the head, JSON-LD, and in the
// body headings, bylines and times.

import { type DomDocument, type DomElement, plainText } from "../shared/dom.ts";
import { trimCharactersEnd, trimCharactersStart } from "../shared/text.ts";
import { MAX_TITLE, normalizedWords } from "../shared/title.ts";
import { readJsonLd } from "./json-ld.ts";

/** The metadata that is stored with a document. */
export interface PageMetadata {
  byline?: string;
  siteName?: string;
  /** ISO 8601 if it can be parsed, else as written. */
  publishedTime?: string;
  language?: string;
  excerpt?: string;
  /** The number of pages of a PDF file. */
  pages?: number;
}

/** The metadata, and facts that later steps use. */
export interface PageFacts {
  /** "" if there is none. */
  title: string;
  /** True if the page declares that it is an article. */
  isArticle: boolean;
  /** True if it declares that it is a thread of posts. */
  isForum: boolean;
  /** The full text, if JSON-LD contains it. */
  articleBody?: string;
  metadata: PageMetadata;
}

const MAX_EXCERPT = 500;

/** Separators between a page's own title and its site's name. */
const SEPARATOR = /\s+[|\-–—»«·•:›/]+\s+|\s*[|»·•›]\s*/;

/** The same characters, and a blank: all other white space is already collapsed. */
const SEPARATORS = " |-–—»«·•:›/";

/** Maximum length in characters of a title before the site's name is removed. */
const MAX_RAW_TITLE = 2_000;

/** Reads the metadata of a page. It must run before the page is cleaned. */
export function readMetadata(document: DomDocument): PageFacts {
  const metas = new Map<string, string>();
  for (const meta of document.querySelectorAll("meta")) {
    const name = (
      meta.getAttribute("property") ??
      meta.getAttribute("name") ??
      meta.getAttribute("itemprop") ??
      ""
    )
      .trim()
      .toLowerCase();
    const content = (meta.getAttribute("content") ?? "").replace(/\s+/g, " ").trim();
    if (name !== "" && content !== "" && !metas.has(name)) metas.set(name, content);
  }
  const first = (...names: string[]) =>
    names.map((name) => metas.get(name)).find((value) => value !== undefined);
  const linked = readJsonLd(document);
  const siteName = first("og:site_name", "application-name", "al:ios:app_name") ?? linked.siteName;
  const byline =
    linked.author ??
    first(
      "author",
      "article:author_name",
      "parsely-author",
      "sailthru.author",
      "dc.creator",
      "citation_author",
      "byl",
    ) ??
    textOf(
      document,
      '[itemprop="author"] [itemprop="name"], [itemprop="author"], [rel="author"], .byline, .author-name',
    );
  const publishedTime =
    first(
      "article:published_time",
      "datepublished",
      "parsely-pub-date",
      "sailthru.date",
      "dc.date",
      "date",
      "pubdate",
    ) ??
    linked.publishedTime ??
    first("citation_publication_date", "dc.date.issued", "publish-date") ??
    document
      .querySelector("time[datetime][pubdate], time[itemprop=datePublished]")
      ?.getAttribute("datetime") ??
    leadingTime(document);
  const metadata: PageMetadata = {
    byline:
      byline && !/^https?:/.test(byline)
        ? byline.replace(/^(?:by|von|par|por)\s+/i, "").slice(0, 200)
        : undefined,
    siteName: siteName?.slice(0, 200),
    publishedTime: publishedTime ? toIso(publishedTime) : undefined,
    language: readLanguage(document, first("og:locale", "content-language", "language")),
    excerpt: (first("og:description", "description", "twitter:description") ?? linked.description)?.slice(
      0,
      MAX_EXCERPT,
    ),
  };
  for (const key of Object.keys(metadata) as (keyof PageMetadata)[]) if (!metadata[key]) delete metadata[key];
  return {
    title: readTitle(document, first("og:title", "twitter:title") ?? linked.headline, siteName),
    isForum: linked.isForum,
    articleBody: linked.articleBody,
    isArticle: linked.isArticle || first("og:type") === "article" || metas.has("article:published_time"),
    metadata,
  };
}

/** The time at the head of an article: one that is not part of a sentence. */
function leadingTime(document: DomDocument): string | undefined {
  for (const time of document.querySelectorAll("article time[datetime]")) {
    const sentence = time.closest("p, li, td, dd, blockquote");
    const text = sentence ? plainText(sentence) : "";
    if (text.length <= plainText(time).length + MAX_BESIDE_TIME && !/[.!?]$/.test(text))
      return time.getAttribute("datetime") ?? undefined;
  }
  return undefined;
}

/** Characters beside the time in a line with author and date. */
const MAX_BESIDE_TIME = 60;

function readTitle(document: DomDocument, declared?: string, siteName?: string): string {
  const titleElement = plainText(document.querySelector("title") ?? document.createElement("title"));
  const headings = [...document.querySelectorAll("h1")].map(headingText).filter((text) => text !== "");
  const rawTitle = (declared ?? titleElement).slice(0, MAX_RAW_TITLE);
  const ownTitle = withoutSite(rawTitle, siteName);
  const title = ownTitle !== "" ? ownTitle : (headings[0] ?? "");
  // A heading with which the title begins, before a separator, is the title as shown on the page.
  const shownTitle = headings.find(
    (text) =>
      text.length > 1 &&
      normalizedWords(ownTitle) !== normalizedWords(text) &&
      normalizedWords(title).startsWith(normalizedWords(text)) &&
      SEPARATOR.test(title.slice(text.length)),
  );
  return (shownTitle ?? title).slice(0, MAX_TITLE).trim();
}

/** The text of a heading without the link to itself at its end. */
function headingText(heading: DomElement): string {
  const text = plainText(heading);
  const link = [...heading.querySelectorAll('a[href^="#"]')].at(-1);
  const sign = link ? plainText(link) : "";
  const isAtEnd = sign !== text && text.endsWith(sign);
  return (isAtEnd ? text.slice(0, text.length - sign.length) : text).replace(/[\s\u200b-\u200d\ufeff]+$/, "");
}

/** The title without ` | Site` at the end or `Site: ` at the start. */
function withoutSite(title: string, siteName?: string): string {
  if (siteName && title.startsWith(`${siteName}: `)) return title.slice(siteName.length + 2);
  const parts = title.split(SEPARATOR);
  if (parts.length < 2) return title;
  const isSite = (part: string) =>
    siteName !== undefined && normalizedWords(part) === normalizedWords(siteName);
  if (isSite(parts.at(-1)!))
    return trimCharactersEnd(title.slice(0, title.lastIndexOf(parts.at(-1)!)), SEPARATORS);
  if (isSite(parts[0]!))
    return trimCharactersStart(title.slice(title.indexOf(parts[0]!) + parts[0]!.length), SEPARATORS);
  return title;
}

function toIso(text: string): string {
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(at)) return text.slice(0, 100);
  // A date without a time is parsed in the machine's time zone, which may change the day.
  if (!/\d:\d/.test(text)) {
    const day = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
    return (/^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(at) : day).toISOString().slice(0, 10);
  }
  return new Date(at).toISOString();
}

function readLanguage(document: DomDocument, declared?: string): string | undefined {
  const language = (document.documentElement.getAttribute("lang") ?? declared ?? "").trim().replace("_", "-");
  return /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*$/.test(language) ? language : undefined;
}

function textOf(document: DomDocument, selector: string): string | undefined {
  for (const element of document.querySelectorAll(selector)) {
    const text = plainText(element);
    if (text !== "" && text.length < 100) return text;
  }
  return undefined;
}
