import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { foundOrganizations } from "./organizations.ts";
import { turnkeyErrors } from "./turnkey-errors.ts";
import { whoamiRoute } from "./whoami-route.ts";

/** Turnkey's API, as much of it as a key's check needs. Stamps are really verified, with keys that are there from the start. */
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
        effect:
          "are in the data of each api_key below: an organization's and its sub-organization's",
      },
      { value: "any other pair of keys", effect: "is refused with 401" },
    ],
    errors: turnkeyErrors,
    routes: [whoamiRoute],
    prepare: foundOrganizations,
  };
}
