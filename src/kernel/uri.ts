// Absolute http and https URIs, by the grammar of RFC 3986. No expression can match the same text in two ways.

const PARTS = /^https?:\/\/([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/is;
const HOST_AND_PORT = /^(?:[^@]*@)?(?:\[[0-9a-f:.]+\]|[^:[\]@]+)(?::\d*)?$/i;
/** Unreserved and reserved characters that may appear after the scheme, without brackets and `#`; or an escape. */
const CHARACTERS = /^(?:[\w\-.~!$&'()*+,;=:@/?]|%[0-9a-f]{2})*$/i;

/**
 * Whether `text` is an absolute http or https URI: no spaces, controls, backslashes or unescaped non-ASCII characters.
 */
export function isHttpUri(text: string): boolean {
  const [match, authority = "", path = "", query = "", fragment = ""] = PARTS.exec(text) ?? [];
  if (match === undefined || !HOST_AND_PORT.test(authority)) return false;
  const unbracketed = authority.replace(/[[\]]/g, "");
  if (![unbracketed, path, query, fragment].every((part) => CHARACTERS.test(part))) return false;
  // The URL parser also rejects invalid hosts and ports.
  return URL.canParse(text);
}

/** The URL of a page as it is requested: normalized, without its fragment. `https://` is added if there is no `://`. */
export function pageAddress(text: string): string | undefined {
  const url = URL.parse(
    /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim()) ? text.trim() : `https://${text.trim()}`,
  );
  if (url === null) return undefined;
  url.hash = "";
  return url.href;
}

/** The forms in which the URL of a page may be stored: as it is written, and as it is requested. */
export function pageNames(text: string): string[] {
  const address = pageAddress(text);
  return address === undefined ? [] : [...new Set([text.trim(), address])];
}
