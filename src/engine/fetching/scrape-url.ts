// Parses the URL that a user enters for a page, and checks every URL that is fetched, also the targets of redirects.
// The addresses of a name are checked when it is resolved.

import { isIP } from "node:net";
import { isHttpUri } from "../../kernel/uri.ts";
import { type AddressKind, addressKindOf, withoutBrackets } from "./addresses.ts";
import { FetchError } from "./errors.ts";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
/** `mailto:a`, `file:/etc`, `javascript:1`; but `localhost:3000` is a host with its port. */
const OTHER_SCHEME =
  /^(?:[a-z][a-z0-9+.-]*:(?!\d)|(?:about|blob|data|file|ftp|javascript|mailto|sms|tel|vbscript):)/i;
const USER_INFO = /^[a-z]+:\/*[^/?#\\]*@/i;

/** Percent-encodes what the URL parser leaves in path, query and fragment although RFC 3986 does not allow it there. */
const escaped = (href: string) => {
  const [, origin = "", rest = ""] = /^([a-z]+:\/\/[^/?#]*)(.*)$/is.exec(href) ?? [];
  const [beforeFragment = "", ...fragment] = rest
    .replace(/%(?![0-9a-f]{2})|[^\w\-.~!$&'()*+,;=:@/?#%]/gi, encodeURIComponent)
    .split("#");
  return origin + beforeFragment + (fragment.length > 0 ? `#${fragment.join("%23")}` : "");
};

/**
 * The URL in `text` as it is stored, with `https://` added if there is no scheme. `allowPrivate` allows addresses of
 * local networks. Throws FetchError with code URL_REFUSED or ADDRESS_REFUSED.
 */
export function readScrapeUrl(text: string, allowPrivate: boolean): string {
  const trimmed = text.trim();
  if (!SCHEME.test(trimmed) && OTHER_SCHEME.test(trimmed)) {
    throw new FetchError("URL_REFUSED", "must be an http or https URL");
  }
  const withScheme = SCHEME.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (!URL.canParse(withScheme)) throw new FetchError("URL_REFUSED", "is not a URL");
  if (USER_INFO.test(withScheme)) throw userInfoRejected();
  const url = new URL(withScheme);
  checkUrl(url, allowPrivate);
  // The parsed form if the text is no URI, so that `sourceUrl` can be sent back in a PATCH.
  return isHttpUri(withScheme) ? withScheme : escaped(url.href);
}

/**
 * Throws FetchError for another scheme, user information, or a literal address that may not be fetched, in any
 * notation.
 */
export function checkUrl(url: URL, allowPrivate: boolean): void {
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new FetchError("URL_REFUSED", "must be an http or https URL");
  }
  if (url.username !== "" || url.password !== "") throw userInfoRejected();
  if (isLiteral(url.hostname)) checkAddressKind(addressKindOf(url.hostname), url.hostname, allowPrivate);
}

const userInfoRejected = () => new FetchError("URL_REFUSED", "must not contain a user name or password");

/** Throws FetchError with code ADDRESS_REFUSED unless a host with an address of this kind may be connected to. */
export function checkAddressKind(kind: AddressKind, hostname: string, allowPrivate: boolean): void {
  if (kind === "public" || (kind === "private" && allowPrivate)) return;
  if (kind === "private") {
    const remedy = "the server can allow it: --scrape-private-network allow";
    throw new FetchError("ADDRESS_REFUSED", `${hostname} is in a private network (${remedy})`);
  }
  const verb = isLiteral(hostname) ? "is" : "resolves to";
  throw new FetchError("ADDRESS_REFUSED", `${hostname} ${verb} an address that is never fetched`);
}

/** Whether a name always means this machine or an internal network. */
export function isInternalName(hostname: string): boolean {
  return /(^|\.)(localhost|internal)\.?$/i.test(hostname);
}

/** Whether a host is an IP address, not a name. */
export const isLiteral = (hostname: string) => isIP(withoutBrackets(hostname)) !== 0;

/** Ports at 1024 and above that belong to other protocols (the fetch standard's bad ports, 2.9). */
const OTHER_PROTOCOLS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
]);

/** The port of a URL. Throws FetchError with code PORT_REFUSED for ports of other protocols. */
export function portOf({ protocol, port }: URL): number {
  const number = port === "" ? { "http:": 80, "https:": 443 }[protocol]! : Number(port);
  const isAllowed = number === 80 || number === 443 || (number >= 1024 && !OTHER_PROTOCOLS.has(number));
  if (isAllowed) return number;
  throw new FetchError("PORT_REFUSED", `pages are not fetched from port ${number}`);
}
