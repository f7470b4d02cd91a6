import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { memoize } from "./memoize.ts";

/**
 * The maximum length of an address as text. Results for longer texts are not cached, so that callers cannot fill the
 * memory with them.
 */
export const ADDRESS_CHARACTERS_MAX = 64;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IP network: the addresses whose first `prefixBits` bits are those of `base`. */
export interface Network {
  /** The lowest address in the network. */
  readonly base: Address;
  readonly prefixBits: number;
}

const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const CIDR = /^([0-9A-Fa-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/;

/**
 * Parses a network in CIDR notation, or a single address as a network that contains only this address. The bits after
 * the prefix must be zero. Returns undefined for any other text and for an address with a zone. Also returns undefined
 * for an IPv4-mapped IPv6 address, because a client with such an address is identified by the IPv4 address.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", bits] = CIDR.exec(text) ?? [];
  const base = parseAddress(address);
  if (base === undefined || (base.kind() === "ipv4" && address.includes(":"))) return undefined;
  const prefixBits = bits === undefined ? ADDRESS_BITS[base.kind()] : Number(bits);
  if (prefixBits > ADDRESS_BITS[base.kind()]) return undefined;
  const network = networkAround(base, prefixBits);
  return String(network.base) === String(base) ? network : undefined;
}

/** Returns the network in canonical CIDR notation. */
export function formatNetwork({ base, prefixBits }: Network): string {
  return `${base}/${prefixBits}`;
}

/** Returns true if `outer` contains all addresses of `inner`. An IPv6 network contains no IPv4 address. */
export function isWithinNetwork(inner: Network, outer: Network): boolean {
  return (
    inner.base.kind() === outer.base.kind() &&
    inner.prefixBits >= outer.prefixBits &&
    inner.base.match(outer.base, outer.prefixBits)
  );
}

/** An IPv4 address with a port, or an IPv6 address in brackets with an optional port. */
const WITH_PORT = /^(?:\[([^\]]*)\](?::\d{1,5})?|(\d[\d.]*):\d{1,5})$/;

/**
 * Returns the client's address as a socket or a proxy names it, without port, brackets and zone (`%eth0`). Undefined if
 * the text is not an address. Some proxies write `address:port` in `X-Forwarded-For`; with the port, each connection
 * would count as a new client.
 */
export function clientAddressOf(text: string): string | undefined {
  const [, ipv6, ipv4] = WITH_PORT.exec(text) ?? [];
  return parseAddress((ipv6 ?? ipv4 ?? text).replace(/%[\w.-]+$/, ""))?.toString();
}

/**
 * Returns the network with this prefix length that contains the client's address, or undefined if the text is not an
 * address.
 */
export function networkOfAddress(
  text: string,
  prefixBits: { readonly ipv4: number; readonly ipv6: number },
): Network | undefined {
  const address = parseAddress(clientAddressOf(text) ?? "");
  return address && networkAround(address, prefixBits[address.kind()]);
}

export const isLoopbackAddress = memoize((text) => parseAddress(text)?.range() === "loopback", ADDRESS_CHARACTERS_MAX);

/**
 * Returns true for an address that is reachable on the internet, and false for every other text: private, loopback, link-local
 * and reserved addresses, and IPv6 addresses that contain an IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parseAddress(text);
  if (address === undefined || address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || GLOBAL_UNICAST.test(address.toNormalizedString());
}

/** `2000::/3`, the only IPv6 addresses that are assigned. */
const GLOBAL_UNICAST = /^[23][0-9a-f]{3}:/;

/**
 * The deprecated IPv4-compatible form, such as `::192.0.2.1`. ipaddr.js confuses it with `::ffff:192.0.2.1`, which is a
 * different address.
 */
const DEPRECATED_COMPATIBLE = /^::\d+\./;

/**
 * Parses an address. An IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes the IPv4 address. Rejects addresses with
 * zones or octal parts, although ipaddr.js accepts them.
 */
function parseAddress(text: string): Address | undefined {
  const isPlain = isIP(text) !== 0 && !text.includes("%") && !DEPRECATED_COMPATIBLE.test(text);
  return isPlain ? ipaddr.process(text) : undefined;
}

function networkAround(address: Address, prefixBits: number): Network {
  const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return { base: family.networkAddressFromCIDR(`${address}/${prefixBits}`), prefixBits };
}
