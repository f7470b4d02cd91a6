import * as Address from "ox/Address";
import { describe, expect, it } from "vitest";
import { BLOCKCHAIN_NETWORKS, blockchainNetworkOf, EVM_NETWORKS } from "./blockchain-networks.ts";

describe("BLOCKCHAIN_NETWORKS", () => {
  it.each(Object.entries(BLOCKCHAIN_NETWORKS))(
    "%s: contracts have the checksum of EIP-55, and the CAIP-2 id names the network",
    (name, { chainId, contracts }) => {
      for (const address of Object.values(contracts)) {
        expect(Address.validate(address, { strict: true })).toBe(true);
      }
      expect([blockchainNetworkOf(name), blockchainNetworkOf(chainId)]).toEqual([name, name]);
    },
  );

  it("has ten EVM networks, and no other name is a network", () => {
    expect(EVM_NETWORKS).toHaveLength(10);
    expect(["mars", "eip155:999", "toString"].map(blockchainNetworkOf)).toEqual(Array(3).fill(undefined));
  });
});
