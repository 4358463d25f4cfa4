// The session cookie of the web console. Browsers attach it to every request to this host, also from pages of other
// local servers, so it counts only with a header that no form can send and when the browser says that the page is ours.

import type { ConsoleSessions } from "../auth/console-sessions.ts";
import type { Identity } from "../auth/identity.ts";

/** Whether a request was sent by a script of a page of this server. A missing header counts as no. */
export function isSentByConsole(headers: Headers): boolean {
  return headers.get("x-console") === "1" && headers.get("sec-fetch-site") === "same-origin";
}

/** The token in the session cookie; undefined without one. */
export function sessionToken(headers: Headers): string | undefined {
  const name = cookieName(headers);
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const [key = "", value = ""] = pair.trim().split("=", 2);
    if (key === name && value !== "") return value;
  }
  return undefined;
}

/** The caller by the session cookie; null if it may not be used here, or if there is no such session. */
export function identifyBySession(sessions: ConsoleSessions, headers: Headers): Identity | null {
  if (!isSentByConsole(headers)) return null;
  const token = sessionToken(headers);
  return token === undefined ? null : sessions.identify(token);
}

/**
 * The value of Set-Cookie that stores a token for `maxAgeS` seconds; 0 deletes it. `isSecure`: the server is reached by
 * https.
 */
export function sessionCookie(
  headers: Headers,
  token: string,
  { maxAgeS, isSecure }: { maxAgeS: number; isSecure: boolean },
): string {
  const attributes = ["Path=/", `Max-Age=${maxAgeS}`, "HttpOnly", "SameSite=Strict", isSecure && "Secure"];
  return [`${cookieName(headers)}=${token}`, ...attributes.filter(Boolean)].join("; ");
}

/** Cookies are shared by all ports of a host, so the name contains the port, as the browser knows it. */
function cookieName(headers: Headers): string {
  const [, port = "default"] = /:(\d+)$/.exec(headers.get("host") ?? "") ?? [];
  return `ctxrepo_console_${port}`;
}
