// Checks of the machine: free disk space, the clock, the port.

import { createServer } from "node:net";
import { storedKeyId } from "../../auth/instance.ts";
import type { Settings } from "../../base/config.ts";
import { storedMark } from "../../db/high-water.ts";
import type { ReadHandle } from "../../db/store.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { type Check, fail, ok, warn } from "./check.ts";

/** Below this, writes may fail soon: the write-ahead log alone has 8 MB. */
const MIN_FREE_BYTES = 100 * 1024 ** 2;
/** The clock and the mark differ by less than this on a machine that corrects its clock. */
const MAX_BEHIND_MS = 60_000;
const SERVER_TIMEOUT_MS = 3_000;

/** Whether there is space for writes, and for one more copy of the database. */
export function checkDiskSpace(freeBytes: number, databaseBytes: number): Check {
  const name = "disk-space";
  const detail = `${inMegabytes(freeBytes)} free, the database has ${inMegabytes(databaseBytes)}`;
  const fix = "free space on the disk of the data directory";
  if (freeBytes < MIN_FREE_BYTES) return fail(name, `${detail}: writes will fail soon`, fix);
  if (freeBytes < databaseBytes) return warn(name, `${detail}: it could not be rebuilt or restored`, fix);
  return ok(name, detail);
}

const inMegabytes = (bytes: number) => `${Math.round(bytes / 1e6).toLocaleString("en")} MB`;

/** Whether the clock is behind the latest time that was stored with a lease. */
export function checkClock(reader: ReadHandle, clock: Clock): Check {
  const name = "clock";
  const behindMs = (storedMark(reader) ?? 0) - clock.now();
  if (behindMs < MAX_BEHIND_MS) return ok(name, "the clock is not behind the stored times");
  return fail(
    name,
    `the clock is ${duration(behindMs)} behind the latest time that the server has seen: leases and waiting jobs take longer`,
    "set the clock of the machine (timedatectl set-ntp true)",
  );
}

function duration(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 120) return `${minutes} minutes`;
  return minutes < 2 * 24 * 60 ? `${Math.round(minutes / 60)} hours` : `${Math.round(minutes / 1440)} days`;
}

/** Whether a server could bind the port, or the server of this database has bound it. */
export async function checkPort({ host, port }: Settings, reader: ReadHandle | null): Promise<Check> {
  const name = "port";
  if (port === 0) return ok(name, "the server uses any free port");
  const error = await bindError(host, port);
  if (!error) return ok(name, `${host}:${port} is free`);
  const elsewhere = "stop the program that uses it, or choose another port with --port (CTXREPO_PORT)";
  if (error.code !== "EADDRINUSE") {
    return fail(name, `${host}:${port} cannot be used: ${messageOf(error)}`, elsewhere);
  }
  const keyId = await keyIdOfServer(host, port);
  const isOwn = keyId !== undefined && reader !== null && keyId === storedKeyId(reader);
  if (isOwn) return ok(name, `the server of this database uses ${host}:${port}`);
  return fail(name, `another program uses ${host}:${port}`, elsewhere);
}

function bindError(host: string, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", resolve);
    server.listen({ host: unbracketed(host), port, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    );
  });
}

const unbracketed = (host: string) => host.replace(/^\[|\]$/g, "");

/**
 * The id of the key that the server on this port publishes. Only the server of a database publishes that database's
 * key.
 */
async function keyIdOfServer(host: string, port: number): Promise<string | undefined> {
  const address = ["0.0.0.0", "::"].includes(unbracketed(host)) ? "127.0.0.1" : unbracketed(host);
  const authority = address.includes(":") ? `[${address}]` : address;
  try {
    const response = await fetch(`http://${authority}:${port}/.well-known/jwks.json`, {
      signal: AbortSignal.timeout(SERVER_TIMEOUT_MS),
      redirect: "error",
      headers: { "User-Agent": "ctxrepo-doctor" },
    });
    const { keys } = (await response.json()) as { keys: { kid: string }[] };
    return keys[0]?.kid;
  } catch {
    return undefined;
  }
}
