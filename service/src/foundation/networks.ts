import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { memoize } from "./memoize.ts";

/** A longer text is no address. Callers could fill the memory with such texts where they are kept. */
export const ADDRESS_CHARACTERS_MAX = 64;

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** An IP network: the addresses whose first `prefixBits` bits are those of `base`. */
export interface Network {
  /** The lowest address. */
  readonly base: Address;
  readonly prefixBits: number;
}

const ADDRESS_BITS = { ipv4: 32, ipv6: 128 } as const;
const CIDR = /^([0-9A-Fa-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/;

/**
 * Reads a network in CIDR form, or a single address, which is a network of one. Bits behind the prefix must be zero.
 * Undefined for anything else, for an address with a zone, and for IPv4 written as IPv6: clients are seen under the IPv4 address.
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

/** The one way in which we write a network. */
export function formatNetwork({ base, prefixBits }: Network): string {
  return `${base}/${prefixBits}`;
}

/** Whether every address of `inner` is one of `outer`. No IPv4 address is in an IPv6 network. */
export function isWithinNetwork(inner: Network, outer: Network): boolean {
  return (
    inner.base.kind() === outer.base.kind() &&
    inner.prefixBits >= outer.prefixBits &&
    inner.base.match(outer.base, outer.prefixBits)
  );
}

/** The network of that size that a client's address is in. Undefined for what is no address. */
export function networkOfAddress(
  text: string,
  prefixBits: { readonly ipv4: number; readonly ipv6: number },
): Network | undefined {
  const address = parseAddress(text);
  return address && networkAround(address, prefixBits[address.kind()]);
}

export const isLoopbackAddress = memoize(
  (text) => parseAddress(text)?.range() === "loopback",
  ADDRESS_CHARACTERS_MAX,
);

/** What ipaddr.js takes for `::ffff:192.0.2.1`, although it is another address. */
const DEPRECATED_COMPATIBLE = /^::\d+\./;

/** IPv4 written as IPv6 (`::ffff:192.0.2.1`) is read as the IPv4 address. Zones, and octal parts of ipaddr.js, are refused. */
function parseAddress(text: string): Address | undefined {
  const isPlain = isIP(text) !== 0 && !text.includes("%") && !DEPRECATED_COMPATIBLE.test(text);
  return isPlain ? ipaddr.process(text) : undefined;
}

function networkAround(address: Address, prefixBits: number): Network {
  const family = address.kind() === "ipv4" ? ipaddr.IPv4 : ipaddr.IPv6;
  return { base: family.networkAddressFromCIDR(`${address}/${prefixBits}`), prefixBits };
}
