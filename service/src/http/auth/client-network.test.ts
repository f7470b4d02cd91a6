import { describe, expect, it } from "vitest";
import { clientNetworkOf, coarseNetworkOf, isInNetworks } from "./client-network.ts";

describe("networkOf, coarseNetworkOf and isInNetworks", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
    ["::ffff:203.0.113.7", "203.0.113.7", "203.0.113.0/24"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80::/64", "fe80::/64"],
    ["203.0.113.7:51234", "203.0.113.7", "203.0.113.0/24"],
    ["[2001:db8:1:2::6]:51234", "2001:db8:1:2::/64", "2001:db8:1:2::/64"],
    ["unknown", "unknown", "unknown"],
  ])("%s: counted by %s, shown as %s", (address, counted, shown) => {
    expect(clientNetworkOf(address)).toBe(counted);
    expect(coarseNetworkOf(address)).toBe(shown);
  });

  it.each([
    ["203.0.113.7", "203.0.113.0/24", true],
    ["::ffff:203.0.113.7", "203.0.113.0/24", true],
    ["203.0.113.7", "::/0", false],
    ["::ffff:203.0.113.7", "::/0", false],
    ["2001:db8::1", "0.0.0.0/0", false],
    ["fe80::1%eth0", "fe80::/10", true],
    ["unknown", "0.0.0.0/0", false],
    ["203.0.113.7", "nonsense", false],
  ])("isInNetworks: address %s, networks %s: %s", (address, network, expected) => {
    expect(isInNetworks(address, [network])).toBe(expected);
  });
});
