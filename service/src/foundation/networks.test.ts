import { BlockList } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { invariant } from "./invariant.ts";
import {
  formatNetwork,
  isLoopbackAddress,
  isWithinNetwork,
  type Network,
  networkOfAddress,
  parseNetwork,
} from "./networks.ts";

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
  ])("%s is formatted as %s", (text, written) => {
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
    "::203.0.113.7",
    "203.0.113.0/24 ",
    " 203.0.113.0/24",
    "x203.0.113.0/24",
    "203.0.113.0/24\n",
    "203.0.113.0/24/24",
  ])("rejected: %s", (text) => {
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

  it("agrees with Node's BlockList for any two networks", () => {
    const ipv6 = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 })
      .filter((groups) => groups.slice(0, 5).some((group) => group > 0))
      .map((groups) => groups.map((group) => group.toString(16)).join(":"));
    const arbitrary = fc.oneof(
      fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 })),
      fc.tuple(ipv6, fc.integer({ min: 0, max: 128 })),
    );
    fc.assert(
      fc.property(arbitrary, arbitrary, ([address, bits], [other, otherBits]) => {
        const inner = around(address, bits);
        // Two random networks are rarely nested, so a network that contains `inner` is tested too.
        const nested = around(address, Math.min(bits, otherBits));
        for (const outer of [around(other, otherBits), nested]) {
          expect(isWithinNetwork(inner, outer)).toBe(platformSaysWithin(inner, outer));
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["203.0.113.7", "203.0.113.0/24"],
    ["::ffff:203.0.113.7", "203.0.113.0/24"],
    ["::ffff:cb00:7107", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"],
    ["fe80::1%eth0", "fe80::/48"],
  ])("the /24 or /48 of %s is %s", (address, network) => {
    const found = networkOfAddress(address, { ipv4: 24, ipv6: 48 });
    expect(found && formatNetwork(found)).toBe(network);
  });

  it.each(["", "localhost", "010.0.0.1", "1.2.3", "::203.0.113.7"])("rejected: %s is not an address", (text) => {
    expect(networkOfAddress(text, { ipv4: 24, ipv6: 48 })).toBeUndefined();
  });

  it.each([
    ["127.0.0.1", true],
    ["127.255.0.9", true],
    ["::1", true],
    ["::ffff:127.0.0.1", true],
    ["128.0.0.1", false],
    ["::2", false],
    ["localhost", false],
  ])("%s is a loopback address: %s", (address, expected) => {
    expect(isLoopbackAddress(address)).toBe(expected);
  });
});

function around(address: string, bits: number): Network {
  const network = networkOfAddress(address, { ipv4: bits, ipv6: bits });
  invariant(network !== undefined, `${address} is an address`);
  return network;
}

function platformSaysWithin(inner: Network, outer: Network): boolean {
  const family = inner.base.kind();
  if (family !== outer.base.kind() || inner.prefixBits < outer.prefixBits) return false;
  const list = new BlockList();
  list.addSubnet(String(outer.base), outer.prefixBits, family);
  return list.check(String(inner.base), family);
}
