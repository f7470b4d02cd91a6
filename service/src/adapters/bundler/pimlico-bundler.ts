import { Type } from "typebox";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import { networkFactsOf } from "../../foundation/blockchain-networks.ts";
import { NO_RETRY } from "../../foundation/retry.ts";
import type { OpenBundler } from "../../ports/bundler.ts";
import { callRpc, type RpcRequest, tryRpc } from "../http-client/json-rpc.ts";
import { createVendorClient, pathOf } from "../http-client/vendor-client.ts";

const Quantity = Type.String({ pattern: "^0x[0-9a-fA-F]{1,32}$" });
const Hash = Type.String({ pattern: "^0x[0-9a-fA-F]{64}$" });
const GasPrices = Type.Object({
  standard: Type.Object({ maxFeePerGas: Quantity, maxPriorityFeePerGas: Quantity }),
});
const GasEstimate = Type.Object({ preVerificationGas: Quantity });

/** Calls Pimlico's bundlers (ERC-7769, https://docs.pimlico.io/references/bundler). Each network has its own URL. */
export function createPimlicoBundlers({
  apiUrl,
  timeoutMs,
}: {
  readonly apiUrl: string;
  readonly timeoutMs: number;
}): OpenBundler {
  const client = createVendorClient({ vendor: "pimlico", baseUrl: apiUrl, timeoutMs, readRetry: NO_RETRY });
  return ({ network, apiKey }) => {
    const access = {
      path: pathOf`/v2/${String(networkFactsOf(network).evmChainId)}/rpc`,
      ...{ query: { apikey: apiKey }, secrets: [apiKey] },
    };
    const paramsOf = (operation: string) => [JSON.parse(operation), ENTRY_POINT];
    const tryCall = <Schema extends typeof GasPrices | typeof GasEstimate>(request: RpcRequest<Schema>) =>
      tryRpc(client, { ...access, ...request });
    return {
      readGasPrice: async () => {
        const outcome = await tryCall({ method: "pimlico_getUserOperationGasPrice", result: GasPrices });
        if ("failure" in outcome) return null;
        const { maxFeePerGas, maxPriorityFeePerGas } = outcome.result.standard;
        return { maxFeePerGas: BigInt(maxFeePerGas), maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) };
      },
      estimatePreVerificationGas: async (operation) => {
        const params = paramsOf(operation);
        const outcome = await tryCall({ method: "eth_estimateUserOperationGas", params, result: GasEstimate });
        return "failure" in outcome ? null : BigInt(outcome.result.preVerificationGas);
      },
      sendOperation: async (operation) => {
        const params = paramsOf(operation);
        const hash = await callRpc(client, { ...access, method: "eth_sendUserOperation", params, result: Hash });
        return hash.toLowerCase();
      },
    };
  };
}
