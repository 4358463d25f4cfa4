// Calls between processes of this program on one machine: "are you the process that wrote this file?", "a server takes
// over" and "save the database that you have open". Both sides prove that they know the secret of the address file,
// without sending it, so that no other program on the port can pose as a server or learn the secret. Everybody else
// gets the 404 of any unknown path.

import { isSameSecret, localProof } from "../auth/local-access.ts";
import { identityOf } from "../db/file-identity.ts";
import { databasePath } from "../db/open.ts";
import { Failure, messageOf } from "../kernel/errors.ts";
import { type Address, readAddress } from "./address-file.ts";

export type LocalCall = "check" | "take-over" | "backup";

const PREFIX = "/local/";
const NONCE = "X-Ctxrepo-Nonce";
const PROOF = "X-Ctxrepo-Proof";
const ARGUMENT = "X-Ctxrepo-Argument";
/** A process that is busy may take a moment to answer. */
const TIMEOUT_MS = 5_000;

/** What to do about a database that only a running process can still read. */
export const SAVE_LOST = "make a backup with ctxrepo backup, end that process, and restore the backup";

interface AnswerOptions {
  secret: string;
  /** What the calls do. A failure is answered with its message. */
  calls: Partial<Record<LocalCall, (argument: string) => void | Promise<void>>>;
}

/** The response to a call that has a valid proof; undefined for every other request. */
export function answerLocalCall(
  request: Request,
  { path }: { path: string },
  { secret, calls }: AnswerOptions,
): Promise<Response> | undefined {
  const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
  const act = Object.hasOwn(calls, name) ? calls[name as LocalCall] : undefined;
  const nonce = request.headers.get(NONCE);
  const argument = request.headers.get(ARGUMENT) ?? "";
  if (!act || request.method !== "POST" || !nonce) return undefined;
  const proof = localProof(secret, `call ${name} ${nonce} ${argument}`);
  if (!isSameSecret(request.headers.get(PROOF) ?? "", proof)) return undefined;
  const headers = { [PROOF]: localProof(secret, `answer ${process.pid} ${nonce}`) };
  return answer(() => act(decodeURIComponent(argument)), headers);
}

async function answer(act: () => void | Promise<void>, headers: Record<string, string>): Promise<Response> {
  try {
    await act();
    return new Response(null, { status: 204, headers });
  } catch (error) {
    return new Response(messageOf(error), { status: 500, headers });
  }
}

interface CallOptions {
  argument?: string;
  signal?: AbortSignal;
}

/**
 * Sends a call to the process that wrote an address file. Throws `unavailable` if something else answers, or nothing.
 */
async function send(
  { url, secret, pid }: Address,
  call: LocalCall,
  { argument = "", signal = AbortSignal.timeout(TIMEOUT_MS) }: CallOptions,
): Promise<Response> {
  const nonce = crypto.randomUUID();
  const encoded = encodeURIComponent(argument);
  bypassProxies(new URL(url).hostname);
  const response = await fetch(url + PREFIX + call, {
    method: "POST",
    headers: {
      [NONCE]: nonce,
      [ARGUMENT]: encoded,
      [PROOF]: localProof(secret, `call ${call} ${nonce} ${encoded}`),
    },
    signal,
    redirect: "error",
  });
  if (isSameSecret(response.headers.get(PROOF) ?? "", localProof(secret, `answer ${pid} ${nonce}`)))
    return response;
  throw new Failure("unavailable", "another program answered");
}

/** Calls the process that wrote an address file. False if it does not answer, or something else does. */
export async function callLocal(address: Address, call: LocalCall): Promise<boolean> {
  try {
    await send(address, call, {});
    return true;
  } catch {
    return false;
  }
}

/** The process that serves a data directory, if it answers. */
export async function findProcess(dataDir: string): Promise<Address | undefined> {
  const address = readAddress(dataDir);
  return address && (await callLocal(address, "check")) ? address : undefined;
}

/**
 * The process that has the database open, if the file is no longer at its path: only this process can save the records.
 */
export async function findLostDatabase(dataDir: string): Promise<Address | undefined> {
  const address = await findProcess(dataDir);
  return address?.file === identityOf(databasePath(dataDir)) ? undefined : address;
}

/** Throws `conflict` if there is such a process: what is at the path now is not what it serves. */
export async function rejectLostDatabase(dataDir: string): Promise<void> {
  const lost = await findLostDatabase(dataDir);
  if (!lost) return;
  throw new Failure(
    "conflict",
    `${databasePath(dataDir)} was deleted, moved or replaced, and the process ${lost.pid} still has it open: ${SAVE_LOST}`,
  );
}

/**
 * Has a process write a snapshot of the database that it has open into a new file. Throws `unavailable` with its
 * reason.
 */
export async function requestSnapshot(address: Address, target: string, signal: AbortSignal): Promise<void> {
  const response = await send(address, "backup", { argument: target, signal });
  if (!response.ok) throw new Failure("unavailable", await response.text());
}

/**
 * Requests to this machine must not be sent to a proxy of the environment. The runtime has no option for one request.
 */
function bypassProxies(host: string): void {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    const hosts = (process.env[name] ?? "").split(",").filter((entry) => entry !== "");
    if (!hosts.includes(host)) process.env[name] = [...hosts, host].join(",");
  }
}
