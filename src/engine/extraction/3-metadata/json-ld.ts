// Reads facts about a page from JSON-LD. Invalid scripts are skipped.

import type { DomDocument } from "../shared/dom.ts";

/** What JSON-LD states about a page. */
export interface LinkedFacts {
  isArticle: boolean;
  headline?: string;
  author?: string;
  siteName?: string;
  publishedTime?: string;
  description?: string;
  /** The full text, if the page contains it. */
  articleBody?: string;
  /** True for threads and question pages. */
  isForum: boolean;
}

const ARTICLE = /(?:Article|Posting|Report|Review|WebPage|Recipe|HowTo|Product|Course|Event)$/;
const FORUM = /^(?:DiscussionForumPosting|QAPage)$/;
const MAX_SCRIPT = 500_000;

/** The facts about the page's article, else about the page. */
export function readJsonLd(document: DomDocument): LinkedFacts {
  const things: Record<string, unknown>[] = [];
  for (const script of document.querySelectorAll('script[type="application/ld+json"]')) {
    if (script.textContent.length > MAX_SCRIPT) continue;
    const text = withoutWrapper(script.textContent.trim());
    try {
      collect(JSON.parse(text), things, 0);
    } catch {}
  }
  const typed = things.filter((thing) => typesOf(thing).some((type) => ARTICLE.test(type)));
  const rank = (thing: Record<string, unknown>) =>
    typesOf(thing).some((type) => /(?:Article|Posting|Report|Review)$/.test(type)) ? 0 : 1;
  typed.sort((a, b) => rank(a) - rank(b));
  const pick = <Value>(read: (thing: Record<string, unknown>) => Value | undefined) =>
    typed.map(read).find((value) => value !== undefined);
  const article = typed.filter((thing) => rank(thing) === 0);
  return {
    articleBody: pick((thing) => (typeof thing.articleBody === "string" ? thing.articleBody : undefined)),
    isForum: things.some((thing) => typesOf(thing).some((type) => FORUM.test(type))),
    isArticle: article.length > 0,
    headline: article.map((thing) => textIn(thing.headline)).find((text) => text !== undefined),
    author: pick((thing) => namesIn(thing.author)),
    siteName: pick((thing) => namesIn(thing.publisher)),
    publishedTime: pick((thing) => textIn(thing.datePublished)),
    description: pick((thing) => textIn(thing.description)),
  };
}

/** JSON without the CDATA section or the comments around it, which some pages add for XML parsers. */
function withoutWrapper(text: string): string {
  const inner = text.replace(/^(?:<!\[CDATA\[|\/\*.*?\*\/)/, "");
  if (inner.endsWith("]]>")) return inner.slice(0, -3);
  if (!inner.endsWith("*/")) return inner;
  const start = inner.slice(0, -2).lastIndexOf("/*");
  return start < 0 || inner.indexOf("\n", start) >= 0 ? inner : inner.slice(0, start);
}

function collect(value: unknown, into: Record<string, unknown>[], depth: number): void {
  if (depth > 4 || into.length > 200 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const element of value) collect(element, into, depth + 1);
    return;
  }
  const thing = value as Record<string, unknown>;
  into.push(thing);
  for (const key of ["@graph", "mainEntity", "mainEntityOfPage", "hasPart"])
    collect(thing[key], into, depth + 1);
}

function typesOf(thing: Record<string, unknown>): string[] {
  const type = thing["@type"];
  return (Array.isArray(type) ? type : [type]).filter((name) => typeof name === "string");
}

function textIn(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value.replace(/\s+/g, " ").trim() : undefined;
}

function namesIn(value: unknown): string | undefined {
  const names = (Array.isArray(value) ? value : [value]).slice(0, 10).flatMap((person) => {
    const name = textIn(person) ?? textIn((person as { name?: unknown } | null | undefined)?.name);
    return name ? [name] : [];
  });
  return names.length > 0 ? names.join(", ") : undefined;
}
