// Addresses of other servers: https, except on this machine, because the key is sent there.

import { badRequest } from "../kernel/errors.ts";

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address under which `/v1` is found, without a slash at the end. Throws `bad-request` unless it is an https URL,
 * or an http URL of this machine, without user, query and fragment.
 */
export function remoteUrl(given: string): string {
  const reject = (message: string) => badRequest({ path: "URL", message });
  if (!URL.canParse(given)) throw reject("must be a URL, such as https://notes.example.org");
  const url = new URL(given);
  if (url.protocol !== "https:" && url.protocol !== "http:") throw reject("must be an https URL");
  if (url.username || url.password || url.search || url.hash)
    throw reject("must not contain a user, a query or a fragment: the key comes from --key-env");
  if (url.protocol === "http:" && !LOOPBACK.test(url.hostname))
    throw reject("must be an https URL: http would send the key and the records readable to others");
  return url.href.replace(/\/+$/, "").replace(/\/v1$/, "");
}

/** The Authorization header of a key or token. */
export function authorizationOf(key: string): string {
  return key.startsWith("gm_") ? `API-Key ${key}` : `Bearer ${key}`;
}
