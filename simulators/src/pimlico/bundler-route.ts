import { Type } from "typebox";
import { parseRpcCall, RpcCall, type RpcOutcome, rpcErrors, rpcResponse, unknownMethod } from "../kit/json-rpc.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorRequest, VendorRoute } from "../kit/vendor-simulator.ts";
import { parseChainId } from "./chains.ts";

/** The ERC-4337 EntryPoint contracts, versions 0.8, 0.7 and 0.6. Their addresses are the same on every chain. */
const ENTRY_POINTS = [
  "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
  "0x0000000071727De22E5E9d8BAf0edAc6f37da032",
  "0x5FF137D4b0FDCD49DcA30c7CF57E578a026d2789",
] as const;

const Query = Type.Object({ apikey: Type.String() }, { additionalProperties: false });

/** Handles all methods of a chain's bundler (ERC-7769), which share one URL. */
export const bundlerRoute: VendorRoute = {
  operation: "rpc",
  method: "POST",
  url: "/v2/:chain/rpc",
  body: RpcCall,
  query: Query,
  auth: async ({ query }) => {
    const { apikey }: Record<string, unknown> = Object(query);
    return isSandboxKey(apikey) ? apikey : undefined;
  },
  handle: async (request) => {
    const chainId = parseChainId(request.params["chain"]);
    if (chainId === undefined) return rpcErrors.notFound();
    const call = parseRpcCall(request.body);
    const method = Object.hasOwn(METHODS, call.method) ? METHODS[call.method] : undefined;
    return rpcResponse(call, method?.(chainId, request) ?? unknownMethod(call));
  },
};

const METHODS: Readonly<Record<string, (chainId: number, request: VendorRequest) => RpcOutcome>> = {
  eth_chainId: (chainId) => ({ result: `0x${chainId.toString(16)}` }),
  eth_supportedEntryPoints: (_chainId, { caller }) => ({
    result: String(caller).startsWith("sandbox-old") ? ENTRY_POINTS.slice(1) : ENTRY_POINTS,
  }),
};
