// Calls between processes of this program on one machine: "are you the process that wrote this file?" and "a server takes
// over". Both sides prove that they know the secret of the address file, without sending it, so that no other program on the
// port can pose as a server or learn the secret. Everybody else gets the 404 of any unknown path.

import { isSameSecret, localProof } from "../auth/local-access.ts";
import type { Target } from "../http/target.ts";
import { type Address, readAddress } from "./address-file.ts";

export type LocalCall = "check" | "take-over";

const PREFIX = "/local/";
const NONCE = "X-Ctxrepo-Nonce";
const PROOF = "X-Ctxrepo-Proof";
/** A process that is busy may take a moment to answer. */
const TIMEOUT_MS = 5_000;

interface AnswerOptions {
  secret: string;
  calls: Partial<Record<LocalCall, () => void>>;
}

/** The response to a call that has a valid proof; undefined for every other request. */
export function answerLocalCall(
  request: Request,
  { path }: Target,
  { secret, calls }: AnswerOptions,
): Response | undefined {
  const name = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
  const act = Object.hasOwn(calls, name) && calls[name as LocalCall];
  const nonce = request.headers.get(NONCE);
  if (!act || request.method !== "POST" || !nonce) return undefined;
  const isProven = isSameSecret(
    request.headers.get(PROOF) ?? "",
    localProof(secret, `call ${name} ${nonce}`),
  );
  if (!isProven) return undefined;
  act();
  const headers = { [PROOF]: localProof(secret, `answer ${process.pid} ${nonce}`) };
  return new Response(null, { status: 204, headers });
}

/** Calls the process that wrote an address file. False if it does not answer, or something else does. */
export async function callLocal({ url, secret, pid }: Address, call: LocalCall): Promise<boolean> {
  const nonce = crypto.randomUUID();
  bypassProxies(new URL(url).hostname);
  try {
    const { headers } = await fetch(url + PREFIX + call, {
      method: "POST",
      headers: { [NONCE]: nonce, [PROOF]: localProof(secret, `call ${call} ${nonce}`) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: "error",
    });
    return isSameSecret(headers.get(PROOF) ?? "", localProof(secret, `answer ${pid} ${nonce}`));
  } catch {
    return false;
  }
}

/** The process that serves a data directory, if it answers. */
export async function findProcess(dataDir: string): Promise<Address | undefined> {
  const address = readAddress(dataDir);
  return address && (await callLocal(address, "check")) ? address : undefined;
}

/** Requests to this machine must not be sent to a proxy of the environment. The runtime has no option for one request. */
function bypassProxies(host: string): void {
  for (const name of ["NO_PROXY", "no_proxy"]) {
    const hosts = (process.env[name] ?? "").split(",").filter((entry) => entry !== "");
    if (!hosts.includes(host)) process.env[name] = [...hosts, host].join(",");
  }
}
