import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { createOrganizations } from "./organizations.ts";
import { turnkeyErrors } from "./turnkey-errors.ts";
import { whoamiRoute } from "./whoami-route.ts";

/**
 * Simulates only the call that Purser uses to verify a Turnkey API key. The request's signature is verified with the
 * API keys that are created on the first start.
 */
export function turnkeySimulator(): VendorSimulator {
  return {
    vendor: "turnkey",
    displayName: "Turnkey",
    contractFile: "pruned/turnkey.json",
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      {
        value: "credentials",
        effect: "are in the data of the api_key objects below: one of an organization and one of its sub-organization",
      },
      { value: "any other key pair", effect: "is rejected with 401" },
    ],
    errors: turnkeyErrors,
    routes: [whoamiRoute],
    prepare: createOrganizations,
  };
}
