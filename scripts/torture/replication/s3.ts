// A server with the protocol of S3 as a child process, with one bucket. Needs the network once, to install it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Bench, Missing } from "../../bench/bench.ts";
import type { Replica } from "./litestream.ts";

const FOLDER = import.meta.dir;
const PROGRAM = join(FOLDER, "node_modules", "s3rver", "bin", "s3rver.js");
const BUCKET = "ctxrepo";
/** The only credentials that it knows. */
const CREDENTIAL = "S3RVER";
const START_WAIT_MS = 60_000;

/** Starts it on a free port, and returns a replica in its bucket. Throws Missing if it cannot be installed. */
export async function openBucket(bench: Bench): Promise<Replica> {
  if (!existsSync(PROGRAM))
    await Bun.$`${process.execPath} install --frozen-lockfile`.cwd(FOLDER).quiet().nothrow();
  if (!existsSync(PROGRAM)) throw new Missing("s3rver cannot be installed: there is no network");
  const port = freePort();
  const node = Bun.which("node");
  if (node === null) throw new Missing("s3rver needs Node: in Bun it loses requests");
  const command = [node, PROGRAM, "-d", bench.folder(), "-a", "127.0.0.1", "-p", String(port)];
  bench.own(
    Bun.spawn([...command, "--configure-bucket", BUCKET], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    }),
  );
  const endpoint = `http://127.0.0.1:${port}`;
  const endsAt = performance.now() + START_WAIT_MS;
  while (
    !(await fetch(endpoint).then(
      () => true,
      () => false,
    ))
  ) {
    if (performance.now() > endsAt) throw new Error("s3rver does not start");
    await Bun.sleep(50);
  }
  return {
    type: "s3",
    bucket: BUCKET,
    path: "database",
    endpoint,
    region: "us-east-1",
    "force-path-style": true,
    "access-key-id": CREDENTIAL,
    "secret-access-key": CREDENTIAL,
  };
}

function freePort(): number {
  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port } = server;
  void server.stop(true);
  return port!;
}
