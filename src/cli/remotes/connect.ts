// Connects to another server that was added with `ctxrepo remote add`.

import { systemClock } from "../../kernel/clock.ts";
import { badRequest } from "../../kernel/errors.ts";
import type { Remote } from "../../features/console/replies.ts";
import { VERSION } from "../../base/version.ts";
import { dataOf, type Requests } from "../../requests/reply.ts";
import { authorizationOf, remoteUrl } from "../../sync/address.ts";
import { openPeer, type Peer } from "../../sync/peer.ts";
import { objectOf } from "../../sync/records.ts";
import { countOf, printMessage } from "../output.ts";
import { printableLine } from "../printable.ts";
import { keyOf } from "./keys.ts";

export const REMOTES = "/console/api/remotes";

/** The remotes of the user, by name. */
export async function listRemotes(client: Requests): Promise<Remote[]> {
  return dataOf(await client.request("GET", REMOTES));
}

/** The remote of this name. Throws `bad-request` naming the others if there is none. */
export async function remoteNamed(client: Requests, name: string): Promise<Remote> {
  const all = await listRemotes(client);
  const found = all.find((remote) => remote.name === name);
  if (found) return found;
  const known =
    all.length === 0 ? "there is none: ctxrepo remote add adds one" : all.map((one) => one.name).join(", ");
  throw badRequest({ path: "NAME", message: `no remote is called ${name} (${known})` });
}

/** Opens the connection; nothing is sent yet. Throws `not-found` without its key. */
export function peerOf({ id, name, url }: Remote, signal: AbortSignal): Peer {
  return openPeer({
    url: remoteUrl(url),
    authorization: authorizationOf(keyOf(id, process.env)),
    userAgent: `ctxrepo-sync/${VERSION}`,
    clock: systemClock,
    signal,
    onWait(seconds, wasAsked) {
      const what = wasAsked ? "asks to wait" : "does not answer: the next try is in";
      printMessage(`${printableLine(name)} ${what} ${countOf(seconds, "second")}`);
    },
  });
}

export interface RemoteIdentity {
  userId: string;
  name: string;
  scopes: string[];
}

/** Who the key of a server belongs to, and what it may do. Throws the Failure of the request. */
export async function identityOf(client: Requests): Promise<RemoteIdentity> {
  const { userId, name, email, permissions } = objectOf(
    dataOf(await client.request("GET", "/v1/user/me")),
    "data",
  );
  const scopes = Array.isArray(permissions) ? permissions.map(String) : [];
  return { userId: String(userId), name: String(name ?? email ?? userId), scopes };
}
