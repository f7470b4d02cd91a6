import { isIPv4, isIPv6 } from "node:net";

/** An IP network: the addresses whose first `prefixBits` bits are those of `base`. */
export interface Network {
  readonly version: 4 | 6;
  /** The lowest address, as a number. */
  readonly base: bigint;
  readonly prefixBits: number;
}

const ADDRESS_BITS = { 4: 32, 6: 128 } as const;
const CIDR = /^([0-9A-Fa-f.:]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const MAPPED_V4 = 0xffffn;

/**
 * Reads a network in CIDR form, or a single address, which is a network of one. Bits behind the prefix must be zero.
 * Undefined for anything else, and for IPv4 written as IPv6: no client is ever seen under such an address.
 */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", bits] = CIDR.exec(text) ?? [];
  const parsed = parseAddress(address);
  if (parsed === undefined) return undefined;
  const { version, number } = parsed;
  const prefixBits = bits === undefined ? ADDRESS_BITS[version] : Number(bits);
  if (prefixBits > ADDRESS_BITS[version]) return undefined;
  const network = { version, base: number, prefixBits };
  return headOf(network, prefixBits) === number ? network : undefined;
}

/** The one way in which we write a network. */
export function formatNetwork({ version, base, prefixBits }: Network): string {
  return `${version === 4 ? formatV4(base) : formatV6(base)}/${prefixBits}`;
}

/** Whether every address of `inner` is one of `outer`. */
export function isWithinNetwork(inner: Network, outer: Network): boolean {
  return (
    inner.version === outer.version &&
    inner.prefixBits >= outer.prefixBits &&
    headOf(inner, outer.prefixBits) === outer.base
  );
}

/** The lowest address that shares the first `prefixBits` bits with the network's base. */
function headOf({ version, base }: Network, prefixBits: number): bigint {
  const rest = BigInt(ADDRESS_BITS[version] - prefixBits);
  return (base >> rest) << rest;
}

function parseAddress(text: string): { version: 4 | 6; number: bigint } | undefined {
  if (isIPv4(text)) return { version: 4, number: numberOf(text.split(".").map(Number), 8n) };
  if (!isIPv6(text)) return undefined;
  const number = numberOf(groupsOf(text), 16n);
  return number >> 32n === MAPPED_V4 ? undefined : { version: 6, number };
}

function numberOf(parts: readonly number[], bitsEach: bigint): bigint {
  return parts.reduce((number, part) => (number << bitsEach) | BigInt(part), 0n);
}

/** The eight groups of an IPv6 address, with `::` and a dotted tail written out as the URL standard does. */
function groupsOf(text: string): number[] {
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
}

function formatV4(base: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (base >> shift) & 0xffn).join(".");
}

function formatV6(base: bigint): string {
  const groups = Array.from(
    { length: 8 },
    (_, index) => (base >> BigInt(112 - 16 * index)) & 0xffffn,
  );
  const text = groups.map((group) => group.toString(16)).join(":");
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}
