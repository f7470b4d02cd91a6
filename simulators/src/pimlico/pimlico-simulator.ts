import { rpcErrors } from "../kit/json-rpc.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { bundlerRoute } from "./bundler-route.ts";

/** Simulates only the calls that Purser uses to verify a Pimlico API key, without a blockchain. */
export function pimlicoSimulator(): VendorSimulator {
  return {
    vendor: "pimlico",
    displayName: "Pimlico",
    contractFile: null,
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is a valid key" },
      { value: "api_key sandbox-refused…", effect: "is rejected with 401" },
      { value: "api_key sandbox-old…", effect: "is the key of bundlers without EntryPoint 0.8" },
    ],
    errors: rpcErrors,
    routes: [bundlerRoute],
  };
}
