import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { bridgeErrors } from "./bridge-errors.ts";
import { customersRoute } from "./customers-route.ts";

/** Simulates only the call that Purser uses to verify a Bridge API key. */
export function bridgeSimulator(): VendorSimulator {
  return {
    vendor: "bridge",
    displayName: "Bridge",
    contractFile: "handwritten/bridge.yaml",
    contractPrefix: "/v0",
    bodies: "json",
    magicValues: [
      { value: "api_key sandbox-NAME", effect: "is a valid key" },
      { value: "api_key sandbox-refused…", effect: "is rejected with 401" },
    ],
    errors: bridgeErrors,
    routes: [customersRoute],
  };
}
