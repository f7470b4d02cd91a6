import { Type } from "typebox";
import { BaseError, type Hex, isHash, numberToHex } from "viem";
import { parseRpcCall, RpcCall, type RpcOutcome, rpcErrors, rpcResponse, unknownMethod } from "../kit/json-rpc.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorRequest, VendorRoute } from "../kit/vendor-simulator.ts";
import { ChainBundler } from "./bundler.ts";
import { parseChainId } from "./chains.ts";
import { parseOperation, preVerificationGasOf, RpcError } from "./operations.ts";

/** The ERC-4337 EntryPoint contracts, versions 0.8, 0.7 and 0.6. Their addresses are the same on every chain. */
const ENTRY_POINTS = [
  "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
  "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
] as const;

const Query = Type.Object({ apikey: Type.String() }, { additionalProperties: false });

export interface BundlerOptions {
  /**
   * Returns the JSON-RPC URL of the chain with this id, to which its bundler sends. Undefined for a chain without a node: its
   * bundler then takes no operations.
   */
  readonly rpcUrlOf?: ((chainId: number) => string | undefined) | undefined;
}

interface Bundlers {
  /** Returns the bundler of a chain. Throws if the chain has no node. */
  open(chainId: number): ChainBundler;
  close(): void;
}

/** Creates the bundlers of all chains, each with its first call. All API keys share them. */
export function createBundlers({ rpcUrlOf = () => undefined }: BundlerOptions): Bundlers {
  const bundlers = new Map<number, ChainBundler>();
  return {
    open: (chainId) => {
      const rpcUrl = rpcUrlOf(chainId);
      if (rpcUrl === undefined) throw new RpcError(-32603, "this bundler has no node");
      const bundler = bundlers.get(chainId) ?? new ChainBundler(chainId, rpcUrl);
      bundlers.set(chainId, bundler);
      return bundler;
    },
    close: () => {
      for (const bundler of bundlers.values()) bundler.close();
    },
  };
}

/** Handles all methods of a chain's bundler (ERC-7769), which share one URL. */
export const bundlerRoute = (bundlers: Bundlers): VendorRoute => ({
  operation: "rpc",
  methods: Object.keys(METHODS),
  method: "POST",
  url: "/v2/:chain/rpc",
  body: RpcCall,
  query: Query,
  auth: async ({ query }) => {
    const { apikey }: Record<string, unknown> = Object(query);
    return isSandboxKey(apikey) ? apikey : undefined;
  },
  handle: handlerOf(bundlers),
});

function handlerOf({ open: bundler }: Bundlers): VendorRoute["handle"] {
  return async (request) => {
    const chainId = parseChainId(request.params["chain"]);
    if (chainId === undefined) return rpcErrors.notFound();
    const call = parseRpcCall(request.body);
    const method = Object.hasOwn(METHODS, call.method) ? METHODS[call.method] : undefined;
    if (method === undefined) return rpcResponse(call, unknownMethod(call));
    const { params = [] } = call;
    return rpcResponse(call, await outcomeOf(() => method({ chainId, request, params, bundler })));
  };
}

async function outcomeOf(run: () => unknown): Promise<RpcOutcome> {
  try {
    return { result: await run() };
  } catch (error) {
    if (error instanceof RpcError) return { error: { code: error.code, message: error.message, data: error.data } };
    return { error: { code: -32603, message: error instanceof BaseError ? error.shortMessage : String(error) } };
  }
}

interface MethodCall {
  readonly chainId: number;
  readonly request: VendorRequest;
  readonly params: readonly unknown[];
  readonly bundler: (chainId: number) => ChainBundler;
}

const METHODS: Readonly<Record<string, (call: MethodCall) => unknown>> = {
  eth_chainId: ({ chainId }) => `0x${chainId.toString(16)}`,
  eth_supportedEntryPoints: ({ request: { caller } }) =>
    String(caller).startsWith("sandbox-old") ? ENTRY_POINTS.slice(1) : ENTRY_POINTS,
  eth_sendUserOperation: ({ chainId, params, bundler }) => bundler(chainId).add(operationOf(params)),
  eth_estimateUserOperationGas: ({ params }) => {
    const operation = operationOf(params);
    const { verificationGasLimit, callGasLimit } = operation;
    const { paymasterVerificationGasLimit = 0n, paymasterPostOpGasLimit = 0n } = operation;
    return Object.fromEntries(
      Object.entries({
        preVerificationGas: preVerificationGasOf(operation),
        ...{ verificationGasLimit, callGasLimit, paymasterVerificationGasLimit, paymasterPostOpGasLimit },
      }).map(([field, gas]) => [field, numberToHex(gas)]),
    );
  },
  eth_getUserOperationReceipt: ({ chainId, params, bundler }) => bundler(chainId).receiptOf(hashOf(params)),
  pimlico_getUserOperationGasPrice: ({ chainId, bundler }) => bundler(chainId).gasPrices(),
};

function operationOf([operation, entryPoint]: readonly unknown[]) {
  if (String(entryPoint).toLowerCase() !== ENTRY_POINTS[0].toLowerCase()) {
    throw new RpcError(-32602, `this bundler sends operations to the EntryPoint ${ENTRY_POINTS[0]}`);
  }
  return parseOperation(operation);
}

function hashOf([hash]: readonly unknown[]): Hex {
  if (typeof hash !== "string" || !isHash(hash)) throw new RpcError(-32602, "the hash must have 32 bytes of hex");
  return hash;
}
