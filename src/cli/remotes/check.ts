// ctxrepo remote check: what another server is, who the key belongs to, what it can do, and its rate limits.

import { Failure } from "../../kernel/errors.ts";
import type { Reply } from "../../requests/reply.ts";
import type { Peer } from "../../sync/peer.ts";
import { objectOf } from "../../sync/records.ts";
import { identityOf, type RemoteIdentity } from "./connect.ts";

export interface RemoteCheck {
  identity: RemoteIdentity;
  /** The version that its manifest names; null without a manifest. */
  version: string | null;
  /** What its manifest says that it can do: `documents.create`. */
  abilities: string[];
  /** Requests per minute, as its answers say; null if they do not. */
  limits: { read: number | null; write: number | null };
  /** What push, pull and sync cannot do there. */
  problems: string[];
}

const NEEDED = ["documents.list", "documents.get", "prompts.list", "collections.list", "collections.items"];
const WRITE_SCOPES = ["documents.write", "prompts.write"];
/** Seconds that the session lives which measures the limit of writes. */
const SESSION_S = 60;

/** Asks the other server. Throws the Failure of a request, above all if the key is not accepted. */
export async function checkRemote(peer: Peer): Promise<RemoteCheck> {
  const manifest = await peer.request("GET", "/v1/mcp/capabilities");
  const { version, abilities } = manifestIn(manifest);
  const identity = await identityOf(peer);
  // The only write that leaves nothing: a search session, which ends by itself.
  await peer.request("POST", "/v1/pd/session", { body: { ttl: SESSION_S } });
  const problems = [
    ...(abilities.length === 0
      ? []
      : NEEDED.filter((name) => !abilities.includes(name)).map((name) => `it does not offer ${name}`)),
    ...WRITE_SCOPES.filter((scope) => !identity.scopes.includes(scope)).map(
      (scope) => `the key lacks ${scope}: those records can only be pulled, if at all`,
    ),
  ];
  const { read, write } = peer.limits;
  return { identity, version, abilities, limits: { read: read ?? null, write: write ?? null }, problems };
}

function manifestIn({ status, body }: Reply): Pick<RemoteCheck, "version" | "abilities"> {
  if (status === 404)
    throw new Failure("not-found", "there is no /v1/mcp/capabilities: is this the base URL?");
  if (status >= 300) return { version: null, abilities: [] };
  const manifest = objectOf(body, "the manifest");
  const groups = objectOf(manifest.capabilities ?? {}, "capabilities");
  const abilities = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(objectOf(members, group))
      .filter(([, value]) => value === true)
      .map(([member]) => `${group}.${member}`),
  );
  return { version: typeof manifest.version === "string" ? manifest.version : null, abilities };
}
