// Resolves addresses of links and images, and rejects unsafe ones.

/** Schemes that a link may have; other links become text. */
const SCHEMES = new Set(["http:", "https:", "mailto:", "tel:", "ftp:", "sms:", "xmpp:", "magnet:", "geo:"]);

/** Maximum length of an inline image. */
const MAX_DATA_URI = 1_024;

/** Resolves the addresses of one page. */
export interface Addresses {
  /** The absolute address of a link, `#x` for one within the page, null if it is unsafe or empty. */
  link(href: string): string | null;
  /** The absolute address of an image; null for none and for inline data of more than 1 KB. */
  image(src: string): string | null;
}

/** Creates the resolver of a page. `page` is the final address, `base` the href of <base> or "". */
export function openAddresses(page: string, base: string): Addresses {
  const pageUrl = parse(page);
  const baseUrl = parse(base, pageUrl?.href) ?? pageUrl;
  const resolve = (text: string) => parse(text.replace(/[\t\n\r]/g, "").trim(), baseUrl?.href);
  return {
    link(href) {
      const trimmed = href.trim();
      if (trimmed === "") return null;
      if (trimmed.startsWith("#")) return trimmed.length > 1 ? encoded(trimmed) : null;
      const url = resolve(trimmed);
      if (!url) return baseUrl ? null : encoded(trimmed);
      if (!SCHEMES.has(url.protocol)) return null;
      const target = redirectedTo(url);
      if (target) return encoded(target.href);
      if (pageUrl && url.hash.length > 1 && sameBeforeHash(url, pageUrl)) return encoded(url.hash);
      return encoded(url.href);
    },
    image(src) {
      const trimmed = src.trim();
      if (trimmed === "") return null;
      if (/^data:/i.test(trimmed)) {
        return trimmed.length <= MAX_DATA_URI && /^data:image\//i.test(trimmed) && !isPlaceholder(trimmed)
          ? encoded(trimmed)
          : null;
      }
      const url = resolve(trimmed);
      return url && (url.protocol === "http:" || url.protocol === "https:") ? encoded(url.href) : null;
    },
  };
}

/** The address that Google Docs writes into one of Google. */
function redirectedTo({ hostname, pathname, searchParams }: URL): URL | undefined {
  if (hostname !== "www.google.com" || pathname !== "/url") return undefined;
  const target = parse(searchParams.get("q") ?? "");
  return target && /^https?:$/.test(target.protocol) ? target : undefined;
}

function parse(text: string, base?: string): URL | undefined {
  return text === "" ? undefined : (URL.parse(text, base) ?? undefined);
}

function sameBeforeHash(one: URL, other: URL): boolean {
  return one.href.split("#")[0] === other.href.split("#")[0];
}

/** Encodes characters that would terminate the address of a Markdown link. */
function encoded(address: string): string {
  return address.replace(
    /[\s<>\\|]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`,
  );
}

/** Whether inline data is a placeholder until the real image is loaded. */
function isPlaceholder(uri: string): boolean {
  return uri.length < 200 || /^data:image\/svg\+xml/i.test(uri);
}
