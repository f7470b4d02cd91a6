import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { createEvmAuditAnchor, type EvmAuditAnchorOptions } from "../../src/adapters/audit-anchor/evm-audit-anchor.ts";
import { createJsonRpcNetwork } from "../../src/adapters/evm-network/json-rpc-network.ts";
import { TestClock } from "../clock.ts";
import { useLocalNetwork } from "./local-network.ts";

export const ANCHOR = ADDRESSES.local.auditAnchor;

/** Starts a local network for the tests of a file, and opens audit anchors on it. */
export function useEvmAnchor() {
  const network = useLocalNetwork("base");
  /** By default, three blocks make a block final. */
  const optionsOf = ({
    urls = network.nodes.map(({ url }) => url),
    clock = new TestClock(),
    ...options
  }: Pick<EvmAuditAnchorOptions, "key"> &
    Partial<EvmAuditAnchorOptions> & { readonly urls?: readonly string[] }): EvmAuditAnchorOptions => ({
    ...{ contract: ANCHOR, confirmations: 3, clock, pauseMs: { first: 100, max: 400 }, onRefused: () => {} },
    chain: createJsonRpcNetwork({ network: "base", urls, timeoutMs: 1_000, clock, onWrongChain: () => {} }),
    ...options,
  });
  return {
    network,
    optionsOf,
    /** Returns the key of a new publisher, which has coin. */
    newPublisher: async () => {
      const key = generatePrivateKey();
      await network.local.testClient.setBalance({ address: privateKeyToAddress(key), value: 10n ** 18n });
      return key;
    },
    /** Opens an anchor as a new process does. */
    open: (options: Parameters<typeof optionsOf>[0]) => createEvmAuditAnchor(optionsOf(options)),
  };
}
