import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { accountRoutes } from "./account-routes.ts";
import { QUOTA_MARK } from "./create-project.ts";
import { neonErrors } from "./neon-errors.ts";
import { projectRoutes } from "./project-routes.ts";

/**
 * Neon's API, version 2. Its databases are real: each project is a role and a database of their own in the Postgres behind
 * `adminUrl`, a role that may create both.
 */
export function neonSimulator({ adminUrl }: { readonly adminUrl: string }): VendorSimulator {
  return {
    vendor: "neon",
    displayName: "Neon",
    contractFile: "pruned/neon.json",
    contractPrefix: "/api/v2",
    bodies: "json",
    magicValues: [
      { value: "token sandbox-NAME", effect: "the API key of NAME, a person in one organization" },
      { value: "token sandbox-org-NAME", effect: "the API key of that organization" },
      { value: "token sandbox-solo-NAME", effect: "the API key of a person in no organization" },
      { value: "token sandbox-several-NAME", effect: "the API key of a person in two" },
      { value: "token sandbox-full-NAME", effect: "an account that may not have another project" },
      { value: "token sandbox-refused…", effect: "401: the key is not good" },
      { value: `project name with "${QUOTA_MARK}"`, effect: "422: one project too many" },
    ],
    errors: neonErrors,
    routes: [...accountRoutes, ...projectRoutes(adminUrl)],
  };
}
