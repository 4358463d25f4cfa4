// Classifies addresses by range. Every resolved address and every literal host is classified here before it is
// connected to.

import ipaddr from "ipaddr.js";

/**
 * `public`: reachable on the internet. `private`: this machine and local networks. `never`: cloud metadata, link-local,
 * multicast, reserved, tunnels, and everything that cannot be parsed.
 */
export type AddressKind = "public" | "private" | "never";

const PRIVATE = new Set(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);
/** Benchmarking networks; some desktop proxies resolve every name to them. */
const BENCHMARKING = ipaddr.parseCIDR("198.18.0.0/15");
/** All IPv6 addresses that are routed on the internet; ipaddr.js also calls the unassigned rest unicast. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Cloud metadata services outside of link-local: Alibaba, Azure, Oracle; AWS and Google in IPv6. */
const METADATA = [
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::/32",
  "fd20:ce::/32",
].map((range) => ipaddr.parseCIDR(range));

/** Classifies an address as written by the URL parser or a resolver; IPv6 with or without brackets. */
export function addressKindOf(text: string): AddressKind {
  const literal = withoutBrackets(text);
  if (!ipaddr.isValid(literal)) return "never";
  const address = unwrapped(ipaddr.parse(literal));
  const isIn = ([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    network.kind() === address.kind() && address.match(network, bits);
  const range = address.range();
  if (METADATA.some(isIn)) return "never";
  if (PRIVATE.has(range) || isIn(BENCHMARKING)) return "private";
  if (range !== "unicast") return "never";
  return address.kind() === "ipv4" || isIn(GLOBAL_IPV6) ? "public" : "never";
}

/** Whether an address is a loopback address, in any notation. */
export function isLoopback(text: string): boolean {
  const literal = withoutBrackets(text);
  return ipaddr.isValid(literal) && unwrapped(ipaddr.parse(literal)).range() === "loopback";
}

/** A host without the brackets of an IPv6 address. */
export const withoutBrackets = (host: string) => host.replace(/^\[|\]$/g, "");

/**
 * The IPv4 address inside a mapped (RFC 4291) or translated IPv6 address (RFC 6145; RFC 6052 with the well-known
 * prefix, which IPv6-only networks use for all of IPv4), else the address itself. Other tunnels are not unwrapped, so
 * they are rejected.
 */
function unwrapped(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const isWrapped =
    address.isIPv4MappedAddress() ||
    ["::ffff:0:0:0/96", "64:ff9b::/96"].some((prefix) => address.match(ipaddr.IPv6.parseCIDR(prefix)));
  return isWrapped ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
