// Host, Origin and Sec-Fetch-Site. A page in the user's browser can send requests to a local server under its own host
// name (DNS rebinding), so the raw text of the header is checked before any URL is built from it.

import { Failure } from "../kernel/errors.ts";

const AUTHORITY = /^(\[[0-9a-f:.]+\]|[^:\s/@[\]\\?#]+)(?::(\d{1,5}))?$/;
const WILDCARD = new Set(["0.0.0.0", "::", "[::]"]);
const DEFAULT_PORT: Record<string, string> = { "http:": "80", "https:": "443" };

export interface HostSettings {
  host: string;
  /** The bound port. */
  port: number;
  baseUrl: string | null;
  allowHost: string[];
}

interface Allowed {
  name: string;
  /** "*" for any port; "" if the header may have no port. */
  ports: Set<string>;
}

/** Creates the check of one server. The check throws `forbidden` for a request that must be rejected. */
export function createHostCheck(settings: HostSettings): (headers: Headers) => void {
  const allowed = allowedHosts(settings);
  const isAllowed = (authority: string, defaultPort: string) => {
    const [, name, port = defaultPort] = AUTHORITY.exec(authority.toLowerCase()) ?? [];
    return allowed.some((host) => host.name === name && (host.ports.has("*") || host.ports.has(port)));
  };
  return (headers) => {
    const host = headers.get("host") ?? "";
    if (!isAllowed(host, "")) {
      throw new Failure("forbidden", "this Host is not served here (allow it with --allow-host)");
    }
    const origin = headers.get("origin");
    if (origin !== null) {
      const [, scheme = "", authority = ""] = /^(https?:)\/\/([^/]+)$/i.exec(origin) ?? [];
      if (!isAllowed(authority, DEFAULT_PORT[scheme.toLowerCase()] ?? "")) {
        throw new Failure("forbidden", "requests from this Origin are rejected");
      }
    }
    if (headers.get("sec-fetch-site")?.toLowerCase() === "cross-site") {
      throw new Failure("forbidden", "cross-site requests are rejected");
    }
  };
}

function allowedHosts({ host, port, baseUrl, allowHost }: HostSettings): Allowed[] {
  const bound = new Set([String(port), ...(port === 80 ? [""] : [])]);
  const names = new Set(["localhost", "127.0.0.1", "[::1]"]);
  if (!WILDCARD.has(host)) names.add(host.includes(":") && !host.startsWith("[") ? `[${host}]` : host);
  const allowed: Allowed[] = [...names].map((name) => ({ name: name.toLowerCase(), ports: bound }));
  if (baseUrl !== null) {
    const url = new URL(baseUrl);
    const defaultPort = DEFAULT_PORT[url.protocol] ?? "";
    const basePort = url.port || defaultPort;
    const ports = new Set([basePort, String(port), ...(basePort === defaultPort ? [""] : [])]);
    allowed.push({ name: url.hostname.toLowerCase(), ports });
  }
  for (const entry of allowHost) {
    const [, name, entryPort = "*"] = AUTHORITY.exec(entry.toLowerCase()) ?? [];
    if (name) allowed.push({ name, ports: new Set([entryPort]) });
  }
  return allowed;
}
