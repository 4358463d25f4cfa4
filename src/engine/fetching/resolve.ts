// Resolves names to addresses that may be connected to. The connection uses exactly these addresses, so that a second
// lookup cannot return others (DNS rebinding).

import { promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { FetchError } from "./errors.ts";

interface ResolvedAddress {
  address: string;
  family: number;
}

/** Returns all addresses of a name. Throws if it has none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** The resolver of the operating system. */
export const systemResolve: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** A lookup function for a connection. `check` throws for an address that is not allowed; then no address is used. */
export function checkedLookup(resolve: Resolve, check: (address: string) => void): LookupFunction {
  const checked = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((error) => {
      throw unresolved(hostname, error);
    });
    if (addresses.length === 0) throw unresolved(hostname, undefined);
    for (const { address } of addresses) check(address);
    // IPv4 first: broken IPv6 fails only after a timeout, missing IPv4 immediately.
    return addresses.toSorted((one, other) => one.family - other.family);
  };
  // Always a list: Bun 1.4 does not accept a single address here.
  return (hostname, _options, callback) => {
    checked(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
}

const unresolved = (hostname: string, cause: unknown) =>
  new FetchError("DNS_FAILURE", `the name ${hostname} cannot be resolved`, { retryable: true, cause });
