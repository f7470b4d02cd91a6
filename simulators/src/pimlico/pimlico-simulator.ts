import { rpcErrors } from "../kit/json-rpc.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { type BundlerOptions, bundlerRoute, createBundlers } from "./bundler-route.ts";

/** Simulates the bundlers of Pimlico (ERC-7769) for EntryPoint 0.8, which send operations to local chains. */
export function pimlicoSimulator(options: BundlerOptions = {}): VendorSimulator {
  const bundlers = createBundlers(options);
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
    routes: [bundlerRoute(bundlers)],
    close: bundlers.close,
  };
}
