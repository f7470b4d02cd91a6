import { Type } from "typebox";
import {
  RpcCall,
  type RpcOutcome,
  rpcAnswer,
  rpcCallOf,
  rpcErrors,
  unknownMethod,
} from "../kit/json-rpc.ts";
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
    const call = rpcCallOf(body);
    if (call.method !== "getHealth") return rpcAnswer(call, unknownMethod(call));
    return rpcAnswer(call, String(caller).startsWith("sandbox-behind") ? BEHIND : HEALTHY);
  },
};

/** Helius' node of Solana, as much of it as a key's check needs. No chain is behind it. */
export function heliusSimulator(): VendorSimulator {
  return {
    vendor: "helius",
    displayName: "Helius",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is the key of NAME" },
      { value: "api_key sandbox-refused…", effect: "is refused with 401" },
      { value: "api_key sandbox-behind…", effect: "a node that is behind the others" },
    ],
    errors: rpcErrors,
    routes: [rpcRoute],
  };
}
