import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invariant } from "./invariant.ts";
import { formatNetwork, isWithinNetwork, type Network, parseNetwork } from "./networks.ts";

function networkOf(text: string) {
  const network = parseNetwork(text);
  invariant(network !== undefined, `${text} is a network`);
  return network;
}

describe("networks", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7/32"],
    ["203.0.113.0/24", "203.0.113.0/24"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["2001:DB8:0:0:1::/80", "2001:db8:0:0:1::/80"],
    ["2001:0db8::1", "2001:db8::1/128"],
    ["::/0", "::/0"],
    ["64:ff9b::192.0.2.0/120", "64:ff9b::c000:200/120"],
  ])("%s is written %s", (text, written) => {
    expect(formatNetwork(networkOf(text))).toBe(written);
    expect(formatNetwork(networkOf(written))).toBe(written);
  });

  it.each([
    "",
    "localhost",
    "203.0.113.7/24",
    "203.0.113.0/33",
    "203.0.113.0/024",
    "203.0.113.0/-1",
    "203.0.113.0/",
    "203.0.113/24",
    "203.0.113.256",
    "0x7f.0.0.1",
    "010.0.0.1",
    "2001:db8::1/64",
    "2001:db8::/129",
    "fe80::1%eth0",
    "::ffff:203.0.113.7",
    "203.0.113.0/24 ",
    "203.0.113.0/24/24",
  ])("%s is none", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });

  it.each([
    ["10.1.0.0/16", "10.0.0.0/8", true],
    ["10.0.0.0/8", "10.1.0.0/16", false],
    ["10.0.0.0/8", "10.0.0.0/8", true],
    ["11.0.0.0/16", "10.0.0.0/8", false],
    ["10.0.0.0/8", "0.0.0.0/0", true],
    ["10.0.0.0/8", "::/0", false],
    ["2001:db8:1::/48", "2001:db8::/32", true],
  ])("%s within %s: %s", (inner, outer, expected) => {
    expect(isWithinNetwork(networkOf(inner), networkOf(outer))).toBe(expected);
  });

  it("holds what the platform's own list holds, for any two networks", () => {
    const arbitrary = fc
      .tuple(
        fc.constantFrom(4, 6),
        fc.bigInt(0n, 2n ** 128n - 1n),
        fc.integer({ min: 0, max: 128 }),
      )
      .map(([version, number, bits]) => {
        const size = version === 4 ? 32 : 128;
        const prefixBits = bits % (size + 1);
        const rest = BigInt(size - prefixBits);
        const base = ((number % 2n ** BigInt(size)) >> rest) << rest;
        return { version: version === 4 ? (4 as const) : (6 as const), base, prefixBits };
      })
      .filter((network) => parseNetwork(formatNetwork(network)) !== undefined);
    fc.assert(
      fc.property(arbitrary, arbitrary, (a, b) => {
        // Two at random are rarely nested, so the one around the first is tried as well.
        for (const outer of [b, networkAround(a, b.prefixBits)]) {
          expect(isWithinNetwork(a, outer)).toBe(platformSaysWithin(a, outer));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The network of at most that many bits that the given one lies in. */
function networkAround(network: Network, bits: number): Network {
  const prefixBits = Math.min(network.prefixBits, bits);
  const rest = BigInt((network.version === 4 ? 32 : 128) - prefixBits);
  return { ...network, prefixBits, base: (network.base >> rest) << rest };
}

function platformSaysWithin(inner: Network, outer: Network): boolean {
  if (inner.version !== outer.version || inner.prefixBits < outer.prefixBits) return false;
  const family = inner.version === 4 ? "ipv4" : "ipv6";
  const list = new BlockList();
  list.addSubnet(addressOf(outer), outer.prefixBits, family);
  return list.check(addressOf(inner), family);
}

function addressOf(network: Network): string {
  return formatNetwork(network).split("/")[0] ?? "";
}
