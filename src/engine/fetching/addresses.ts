// Which addresses may be dialled. It knows ranges, not names: every answer of a resolver and every literal host comes here.

import ipaddr from "ipaddr.js";

/**
 * `public`: anybody may be sent there. `private`: this machine and the networks around it. `never`: cloud metadata, link-local,
 * multicast, reserved, tunnels, and whatever cannot be read.
 */
export type Reach = "public" | "private" | "never";

const PRIVATE = new Set(["loopback", "private", "carrierGradeNat", "uniqueLocal"]);
/** Benchmarking networks, which proxies on a desktop hand out for every name. */
const BENCHMARKING = ipaddr.parseCIDR("198.18.0.0/15");
/** All that is routed on the internet; ipaddr.js calls the unassigned rest unicast too. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/** Where clouds answer with credentials outside of link-local: Alibaba, Azure, Oracle; AWS and Google in IPv6. */
const METADATA = [
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
  "fd00:ec2::/32",
  "fd20:ce::/32",
].map((range) => ipaddr.parseCIDR(range));

/** Judges an address as the URL parser or a resolver writes it, IPv6 with or without brackets. */
export function reachOf(text: string): Reach {
  const bare = text.replace(/^\[|\]$/g, "");
  if (!ipaddr.isValid(bare)) return "never";
  const address = carriedBy(ipaddr.parse(bare));
  const isIn = ([network, bits]: [ipaddr.IPv4 | ipaddr.IPv6, number]) =>
    network.kind() === address.kind() && address.match(network, bits);
  const range = address.range();
  if (METADATA.some(isIn)) return "never";
  if (PRIVATE.has(range) || isIn(BENCHMARKING)) return "private";
  if (range !== "unicast") return "never";
  return address.kind() === "ipv4" || isIn(GLOBAL_IPV6) ? "public" : "never";
}

/** Whether an address leads back to this machine, however it is written. */
export function isLoopback(text: string): boolean {
  const bare = text.replace(/^\[|\]$/g, "");
  return ipaddr.isValid(bare) && carriedBy(ipaddr.parse(bare)).range() === "loopback";
}

/**
 * The IPv4 address that an IPv6 one only wraps, as mapped (RFC 4291) or translated (RFC 6145; RFC 6052 with its well-known
 * prefix, through which networks without IPv4 reach all of it). Other tunnels are not unwrapped, and so refused.
 */
function carriedBy(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  const isWrapped =
    address.isIPv4MappedAddress() ||
    ["::ffff:0:0:0/96", "64:ff9b::/96"].some((prefix) => address.match(ipaddr.IPv6.parseCIDR(prefix)));
  return isWrapped ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
