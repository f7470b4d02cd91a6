import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addApiUser } from "./api-users.ts";
import { fireblocksErrors } from "./fireblocks-errors.ts";
import { createTokenCheck } from "./request-token.ts";
import { supportedAssetsRoute } from "./supported-assets-route.ts";

/**
 * Simulates only the call that Purser uses to verify a Fireblocks API key. The JWT in the request is verified, and each
 * JWT is accepted only once.
 */
export function fireblocksSimulator(): VendorSimulator {
  return {
    vendor: "fireblocks",
    displayName: "Fireblocks",
    contractFile: "pruned/fireblocks.json",
    contractPrefix: "/v1",
    bodies: "json",
    magicValues: [
      { value: "credentials", effect: "are in the data of the api_user object below" },
      { value: "any other API key or secret", effect: "is rejected with 401" },
    ],
    errors: fireblocksErrors,
    routes: [supportedAssetsRoute(createTokenCheck())],
    prepare: addApiUser,
  };
}
