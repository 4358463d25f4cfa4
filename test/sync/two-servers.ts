// Two servers in this process for tests of push, pull and sync: the one here is used as commands use it, the other one
// over a socket with its API key.

import { localAuthorization } from "../../src/auth/local-access.ts";
import { LOCAL_OWNER } from "../../src/auth/users.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { dataOf, queryText, type Requests } from "../../src/requests/reply.ts";
import { authorizationOf } from "../../src/sync/address.ts";
import type { RunOptions } from "../../src/sync/context.ts";
import { openLinks } from "../../src/sync/links.ts";
import { openPeer } from "../../src/sync/peer.ts";
import { KINDS, synchronize } from "../../src/sync/run.ts";
import { openSide, type SideRequests } from "../../src/sync/side.ts";
import type { Started } from "../helpers/start.ts";

/** The requests of a command of the local owner. */
export function commandOf({ app, send, url }: Started): Requests {
  return {
    async request(method, path, { body, query, headers } = {}) {
      const response = await send(
        new Request(url + path + queryText(query), {
          method,
          headers: {
            "User-Agent": "ctxrepo-command/1.0",
            Authorization: localAuthorization(app.credentials.localSecret, LOCAL_OWNER),
            ...(body !== undefined && { "Content-Type": "application/json" }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === "" ? null : JSON.parse(text),
      };
    },
  };
}

/** A connection to another server as commands open it. */
export function peerAt(url: string, key: string, signal = new AbortController().signal) {
  const authorization = authorizationOf(key);
  return openPeer({ url, authorization, userAgent: "ctxrepo-sync/1.0", clock: systemClock, signal });
}

let remotes = 0;

/** Remembers another server; returns its id. */
export async function addRemote(command: Requests): Promise<string> {
  const body = { name: `desk-${++remotes}`, url: "https://desk.example.org" };
  return dataOf(await command.request("PUT", "/console/api/remotes", { body })).id;
}

/** Runs once between the server of a command and another one. */
export function run(
  { command, remoteId, peer }: { command: Requests; remoteId: string; peer: SideRequests },
  options: Partial<RunOptions> = {},
) {
  const newKey = () => crypto.randomUUID();
  const sides = {
    own: openSide(command, { changeLog: "synced from desk", newKey }),
    other: openSide(peer, { changeLog: "synced from laptop", newKey }),
    links: openLinks(command, remoteId),
    kinds: KINDS,
    total: 0,
  };
  return synchronize(sides, {
    direction: "sync",
    prefer: undefined,
    deletes: false,
    isDryRun: false,
    tags: [],
    collections: [],
    onProgress() {},
    ...options,
  });
}
