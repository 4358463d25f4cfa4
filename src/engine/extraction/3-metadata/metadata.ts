// What a page says about itself: title, author, site, date, language, summary. It reads the head and JSON-LD, never the text
// of the page beyond its first headings.

import { type DomDocument, plainText } from "../shared/dom.ts";
import { trimCharactersEnd, trimCharactersStart } from "../shared/text.ts";
import { bareWords, MAX_TITLE } from "../shared/title.ts";
import { readJsonLd } from "./json-ld.ts";

export interface PageMetadata {
  byline?: string;
  siteName?: string;
  /** ISO 8601 where it can be read as a date, else as written. */
  publishedTime?: string;
  language?: string;
  excerpt?: string;
}

export interface PageFacts {
  /** "" if there is none. */
  title: string;
  /** True when the page says that it is an article. */
  isArticle: boolean;
  /** True when it says that it is a thread of posts. */
  isForum: boolean;
  /** The whole text in JSON-LD, if it is there. */
  articleBody?: string;
  metadata: PageMetadata;
}

const MAX_EXCERPT = 500;

/** Separators between a page's own title and its site's name. */
const SEPARATOR = /\s+[|\-–—»«·•:›/]+\s+|\s*[|»·•›]\s*/;

/** The same characters, and the blank that plainText leaves of all white space. */
const SEPARATORS = " |-–—»«·•:›/";

/** Characters of a title with the site's name; the rest of a longer one is not read. */
const MAX_RAW_TITLE = 2_000;

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
      .querySelector("time[datetime][pubdate], article time[datetime], time[itemprop=datePublished]")
      ?.getAttribute("datetime") ??
    undefined;
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
    title: readTitle(document, first("og:title", "twitter:title"), linked.headline, siteName),
    isForum: linked.isForum,
    articleBody: linked.articleBody,
    isArticle: linked.isArticle || first("og:type") === "article" || metas.has("article:published_time"),
    metadata,
  };
}

function readTitle(document: DomDocument, shared?: string, headline?: string, siteName?: string): string {
  const own = plainText(document.querySelector("title") ?? document.createElement("title"));
  const headings = [...document.querySelectorAll("h1")].map(plainText).filter((text) => text !== "");
  const written = (shared ?? headline ?? own).slice(0, MAX_RAW_TITLE);
  const writtenWords = bareWords(written);
  const bare = withoutSite(written, siteName);
  // A heading that the title contains is the title as the page itself prints it.
  const printed = headings.find(
    (text) =>
      text.length > 1 && writtenWords.includes(bareWords(text)) && bareWords(bare) !== bareWords(text),
  );
  const title = bare !== "" ? bare : (headings[0] ?? "");
  return (
    printed && bareWords(title).startsWith(bareWords(printed)) && SEPARATOR.test(title.slice(printed.length))
      ? printed
      : title
  )
    .slice(0, MAX_TITLE)
    .trim();
}

/** Without ` | Site` at the end or `Site: ` at the start. */
function withoutSite(title: string, siteName?: string): string {
  if (siteName && title.startsWith(`${siteName}: `)) return title.slice(siteName.length + 2);
  const parts = title.split(SEPARATOR);
  if (parts.length < 2) return title;
  const isSite = (part: string) => siteName !== undefined && bareWords(part) === bareWords(siteName);
  if (isSite(parts.at(-1)!))
    return trimCharactersEnd(title.slice(0, title.lastIndexOf(parts.at(-1)!)), SEPARATORS);
  if (isSite(parts[0]!))
    return trimCharactersStart(title.slice(title.indexOf(parts[0]!) + parts[0]!.length), SEPARATORS);
  return title;
}

function toIso(text: string): string {
  const at = Date.parse(/^\d{4}-\d{2}-\d{2}T[\d:.]+$/.test(text) ? `${text}Z` : text);
  if (Number.isNaN(at)) return text.slice(0, 100);
  // A bare date without a zone would move by a day when it is read in the machine's zone.
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
