// One run of `ctxrepo sync` that kills its own process with SIGKILL at a request: before it is sent, or when it was
// executed and its answer is not read. Arguments: data directory, remote id, URL, key, number of the request (0: none),
// `before` or `after`, and the options of the run as JSON. Prints the report as JSON.

import { LOCAL_OWNER } from "../../../src/auth/users.ts";
import { openClient } from "../../../src/cli/client.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { authorizationOf } from "../../../src/sync/address.ts";
import { openLinks } from "../../../src/sync/links.ts";
import { openPeer } from "../../../src/sync/peer.ts";
import { KINDS, synchronize } from "../../../src/sync/run.ts";
import { openSide, type SideRequests } from "../../../src/sync/side.ts";

const [dataDir = "", remoteId = "", url = "", key = "", at = "0", moment = "before", options = "{}"] =
  process.argv.slice(2);
let left = Number(at);

/** The same requests, of which one ends the process. */
function mortal(client: SideRequests): SideRequests {
  return {
    async request(method, path, given) {
      const isLast = --left === 0;
      if (isLast && moment === "before") process.kill(process.pid, "SIGKILL");
      const reply = await client.request(method, path, given);
      if (isLast) process.kill(process.pid, "SIGKILL");
      return reply;
    },
  };
}

const client = mortal(await openClient({ dataDir, user: LOCAL_OWNER }));
const peer = openPeer({
  url,
  authorization: authorizationOf(key),
  userAgent: "ctxrepo-sync/1.0",
  clock: systemClock,
  signal: new AbortController().signal,
});
const newKey = () => crypto.randomUUID();
const report = await synchronize(
  {
    own: openSide(client, { changeLog: "synced from desk", newKey }),
    other: openSide(mortal(peer), { changeLog: "synced from laptop", newKey }),
    links: openLinks(client, remoteId),
    kinds: KINDS,
    total: 0,
  },
  {
    direction: "sync",
    prefer: undefined,
    deletes: false,
    isDryRun: false,
    tags: [],
    collections: [],
    onProgress() {},
    ...JSON.parse(options),
  },
);
console.log(JSON.stringify(report));
