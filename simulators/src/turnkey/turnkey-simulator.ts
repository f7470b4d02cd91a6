import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { activityRoutes } from "./activity-routes.ts";
import { createOrganizations } from "./organizations.ts";
import { turnkeyErrors } from "./turnkey-errors.ts";
import { whoamiRoute } from "./whoami-route.ts";

/**
 * Simulates the calls with which Purser verifies a Turnkey API key, creates keys and signs with them. The signature of each
 * request is verified with the API keys that are created on the first start. The private keys stay in the simulator.
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
      {
        value: "the sub-organization's credentials",
        effect: "create wallets, but their signatures wait for another user: CONSENSUS_NEEDED",
      },
      { value: "any other key pair", effect: "is rejected with 401" },
    ],
    errors: turnkeyErrors,
    routes: [whoamiRoute, ...activityRoutes],
    prepare: createOrganizations,
  };
}
