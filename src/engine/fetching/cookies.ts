// Cookies that redirects set: they are sent again within the same fetch, only to the host that set them, and forgotten
// after it.

const MAX_COOKIES = 50;
const MAX_COOKIE_UNITS = 4_096;

interface Cookie {
  value: string;
  isSecure: boolean;
  path: string;
}

/** The cookies of one fetch. */
export interface Jar {
  /** Takes the values of Set-Cookie headers of a response from this URL. Domains are ignored: see above. */
  take(url: URL, headers: readonly string[]): void;
  /** The header for a request; `given` are the caller's own cookies, which take precedence. */
  headersFor(url: URL, given: string | undefined): { cookie?: string };
}

export function openJar(): Jar {
  const hosts = new Map<string, Map<string, Cookie>>();
  return {
    take(url, headers) {
      const cookies = hosts.get(url.host) ?? new Map<string, Cookie>();
      hosts.set(url.host, cookies);
      for (const header of headers) {
        if (header.length > MAX_COOKIE_UNITS) continue;
        const [pair = "", ...attributes] = header.split(";").map((part) => part.trim());
        const [, name = "", value = ""] = /^([^=\s]+)=(.*)$/.exec(pair) ?? [];
        const attributeOf = (attribute: string) =>
          attributes
            .find((one) => one.toLowerCase().startsWith(`${attribute}=`))
            ?.slice(attribute.length + 1);
        const maxAge = Number(attributeOf("max-age") ?? Number.NaN);
        if (name === "" || /[^\x21-\x7e]/.test(value)) continue;
        if (maxAge <= 0) cookies.delete(name);
        else if (cookies.size < MAX_COOKIES || cookies.has(name)) {
          const isSecure = attributes.some((one) => one.toLowerCase() === "secure");
          cookies.set(name, { value, isSecure, path: attributeOf("path") ?? "/" });
        }
      }
    },
    headersFor(url, given) {
      const sent = [...(hosts.get(url.host) ?? [])].filter(
        ([, { isSecure, path }]) => (!isSecure || url.protocol === "https:") && isBelow(url.pathname, path),
      );
      const own = sent.map(([name, { value }]) => `${name}=${value}`);
      const all = [...(given === undefined ? [] : [given]), ...own];
      return all.length === 0 ? {} : { cookie: all.join("; ") };
    },
  };
}

/** Whether a path is that of a cookie or below it (RFC 6265, section 5.1.4). */
function isBelow(path: string, ofCookie: string): boolean {
  if (!ofCookie.startsWith("/")) return true;
  return path === ofCookie || path.startsWith(ofCookie.endsWith("/") ? ofCookie : `${ofCookie}/`);
}
