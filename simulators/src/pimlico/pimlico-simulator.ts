import { rpcErrors } from "../kit/json-rpc.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { bundlerRoute } from "./bundler-route.ts";

/** Pimlico's bundlers, as much of them as a key's check needs. No chain is behind them. */
export function pimlicoSimulator(): VendorSimulator {
  return {
    vendor: "pimlico",
    displayName: "Pimlico",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is the key of NAME" },
      { value: "api_key sandbox-refused…", effect: "is refused with 401" },
      { value: "api_key sandbox-old…", effect: "bundlers that do not know EntryPoint 0.8" },
    ],
    errors: rpcErrors,
    routes: [bundlerRoute],
  };
}
