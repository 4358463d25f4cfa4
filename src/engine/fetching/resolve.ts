// From a name to addresses that may be dialled. The connection is given these very addresses, so that no second look-up can
// answer otherwise (DNS rebinding).

import { promises as dns } from "node:dns";
import type { LookupFunction } from "node:net";
import { FetchError } from "./errors.ts";

interface ResolvedAddress {
  address: string;
  family: number;
}

/** All addresses of a name. Throws when it has none. */
export type Resolve = (hostname: string) => Promise<ResolvedAddress[]>;

/** As every other program on this machine resolves names. */
export const systemResolve: Resolve = (hostname) => dns.lookup(hostname, { all: true });

/** A look-up for a connection: every address must pass `check`, which throws, or none is dialled. */
export function checkedLookup(resolve: Resolve, check: (address: string) => void): LookupFunction {
  const checked = async (hostname: string) => {
    const addresses = await resolve(hostname).catch((error) => {
      throw unresolved(hostname, error);
    });
    if (addresses.length === 0) throw unresolved(hostname, undefined);
    for (const { address } of addresses) check(address);
    // A machine that has IPv6 in name only would wait on it in vain; one without IPv4 is told so at once.
    return addresses.toSorted((one, other) => one.family - other.family);
  };
  // Always the list: Bun 1.4 takes no single address here.
  return (hostname, _options, callback) => {
    checked(hostname).then(
      (addresses) => callback(null, addresses),
      (error) => callback(error, []),
    );
  };
}

const unresolved = (hostname: string, cause: unknown) =>
  new FetchError("DNS_FAILURE", `the name ${hostname} cannot be resolved`, { retryable: true, cause });
