// A signed-in browser for tests that need none: it sends the cookie and the headers that the console's page sends.

import type { Identity } from "../../src/auth/identity.ts";
import { type Client, type Reply, type Started, USER_AGENT } from "./start.ts";

/** What browsers add to the requests of a page's script. */
export const FROM_CONSOLE = { "X-Console": "1", "Sec-Fetch-Site": "same-origin" };

/** Sends a request like the page's script, with these headers and no others of its own. */
export function pageRequests({ url, send }: Started, headers: Record<string, string>): Client {
  return async (method, path, body, more = {}): Promise<Reply> => {
    const response = await send(
      new Request(url + path, {
        method,
        headers: {
          "User-Agent": USER_AGENT,
          ...(body !== undefined && { "Content-Type": "application/json" }),
          ...headers,
          ...more,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
        redirect: "manual",
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type") === "application/json" && text !== "";
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  };
}

/** Signs in as this identity and returns the cookie as a browser would send it. */
export async function signIn(started: Started, identity: Identity = started.owner): Promise<string> {
  const { code } = started.app.consoleSessions.createCode(identity);
  const reply = await pageRequests(started, FROM_CONSOLE)("POST", "/console/api/session", { code });
  return (reply.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "";
}

/** A client that is signed in as this identity, by default the local owner. */
export async function consoleClient(started: Started, identity?: Identity): Promise<Client> {
  return pageRequests(started, { ...FROM_CONSOLE, Cookie: await signIn(started, identity) });
}
