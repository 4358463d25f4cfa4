// Finds addresses in sitemaps, llms.txt, HTML and Markdown. All of them are hostile: what is read of them is bounded,
// and each expression takes linear time.

import { gunzipSync } from "node:zlib";

const MAX_CHARACTERS = 20 * 1024 ** 2;
/** As many as a sitemap may have (sitemaps.org). */
const MAX_LINKS = 50_000;
const MAX_URL = 2_048;
const MAX_PAGE_LINKS = 5_000;
const MAX_PAGE_CHARACTERS = 4 * 1024 ** 2;

export interface Sitemap {
  pages: string[];
  /** Other sitemaps. */
  sitemaps: string[];
}

/** Reads a sitemap in XML or text, which may be packed with gzip; one that cannot be unpacked within 20 MB is empty. */
export function parseSitemap(bytes: Uint8Array, base: string): Sitemap {
  const text = unpacked(bytes);
  const isIndex = /<sitemapindex[\s>]/i.test(text);
  const isXml = /<(urlset|sitemapindex)[\s>]/i.test(text);
  const found = isXml
    ? matches(text, /<loc>\s*(?:<!\[CDATA\[\s*)?([^<>\s\]]{1,2048})/gi)
    : matches(text, /^[ \t]*(https?:\/\/\S{1,2048})/gim);
  const links = absolute(found.map(withoutEntities), base, MAX_LINKS);
  return isIndex ? { pages: [], sitemaps: links } : { pages: links, sitemaps: [] };
}

function unpacked(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const plain = isGzip ? gunzipSync(bytes, { maxOutputLength: MAX_CHARACTERS }) : bytes;
    return new TextDecoder().decode(plain.subarray(0, MAX_CHARACTERS));
  } catch {
    return "";
  }
}

/** The links of a page, or of llms.txt. */
export function linksIn(text: string, base: string): string[] {
  const page = text.slice(0, MAX_PAGE_CHARACTERS);
  const inHtml = matches(
    page,
    /<a\s[^<>]{0,2000}?href\s{0,20}=\s{0,20}(?:"([^"<>]{1,2048})"|'([^'<>]{1,2048})'|([^\s"'<>]{1,2048}))/gi,
  );
  const inMarkdown = matches(page, /\]\(\s?<?([^\s()<>]{1,2048})/g);
  return absolute([...inHtml.map(withoutEntities), ...inMarkdown], base, MAX_PAGE_LINKS);
}

/** The address that a page of HTML names as the one for its text, without its fragment; undefined if it names none. */
export function canonicalOf(html: string, base: string): string | undefined {
  for (const [tag] of html.slice(0, MAX_PAGE_CHARACTERS).matchAll(/<link\s[^<>]{0,2000}>/gi)) {
    if (!/\srel\s{0,20}=\s{0,20}["']?canonical["'\s>/]/i.test(tag)) continue;
    const href = /\shref\s{0,20}=\s{0,20}(?:"([^"<>]{1,2048})"|'([^'<>]{1,2048})'|([^\s"'<>]{1,2048}))/i.exec(
      tag,
    );
    const found = href?.slice(1).find((group) => group !== undefined) ?? "";
    return absolute([withoutEntities(found)].filter(Boolean), base, 1)[0];
  }
  return undefined;
}

/** The first group that took part in each match. */
function matches(text: string, expression: RegExp): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(expression)) {
    const value = match.slice(1).find((group) => group !== undefined);
    if (value !== undefined) found.push(value);
    if (found.length >= MAX_LINKS) break;
  }
  return found;
}

const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", "#38": "&" };
const withoutEntities = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos|#38);/g, (_all, name: string) => ENTITIES[name]!);

/** The http and https addresses, normalized, without fragments, each once. */
function absolute(links: readonly string[], base: string, maximum: number): string[] {
  const found = new Set<string>();
  for (const link of links) {
    if (found.size >= maximum) break;
    const url = URL.parse(link, base);
    if (url === null || !/^https?:$/.test(url.protocol) || url.href.length > MAX_URL) continue;
    url.hash = "";
    found.add(url.href);
  }
  return [...found];
}
