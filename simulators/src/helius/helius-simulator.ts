import { Type } from "typebox";
import { parseRpcCall, RpcCall, type RpcOutcome, rpcErrors, rpcResponse, unknownMethod } from "../kit/json-rpc.ts";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorRoute, VendorSimulator } from "../kit/vendor-simulator.ts";

const HEALTHY: RpcOutcome = { result: "ok" };
const BEHIND: RpcOutcome = { error: { code: -32005, message: "Node is behind by 42 slots" } };

const Query = Type.Object({ "api-key": Type.String() }, { additionalProperties: false });

const rpcRoute: VendorRoute = {
  operation: "rpc",
  method: "POST",
  url: "/",
  body: RpcCall,
  query: Query,
  auth: async ({ query }) => {
    const { "api-key": apiKey }: Record<string, unknown> = Object(query);
    return isSandboxKey(apiKey) ? apiKey : undefined;
  },
  handle: async ({ body, caller }) => {
    const call = parseRpcCall(body);
    if (call.method !== "getHealth") return rpcResponse(call, unknownMethod(call));
    return rpcResponse(call, String(caller).startsWith("sandbox-behind") ? BEHIND : HEALTHY);
  },
};

/** Simulates only the call that Purser uses to verify a Helius API key. The simulator runs no Solana node. */
export function heliusSimulator(): VendorSimulator {
  return {
    vendor: "helius",
    displayName: "Helius",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is a valid key" },
      { value: "api_key sandbox-refused…", effect: "is rejected with 401" },
      {
        value: "api_key sandbox-behind…",
        effect: "is the key of a node that lags behind the others",
      },
    ],
    errors: rpcErrors,
    routes: [rpcRoute],
  };
}
