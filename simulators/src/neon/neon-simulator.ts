import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { accountRoutes } from "./account-routes.ts";
import { consumptionRoutes, UNMETERED_MARK } from "./consumption-routes.ts";
import { QUOTA_MARK } from "./create-project.ts";
import { neonErrors } from "./neon-errors.ts";
import { projectRoutes } from "./project-routes.ts";
import { roleRoutes } from "./role-routes.ts";

/**
 * Simulates version 2 of Neon's API with real databases: each project is a role and a database on the Postgres server
 * at `adminUrl`. The URL's role must have CREATEDB and CREATEROLE.
 */
export function neonSimulator({ adminUrl }: { readonly adminUrl: string }): VendorSimulator {
  return {
    vendor: "neon",
    displayName: "Neon",
    contractFile: "pruned/neon.json",
    contractPrefix: "/api/v2",
    bodies: "json",
    magicValues: [
      { value: "token sandbox-NAME", effect: "the API key of NAME, a user in one organization" },
      { value: "token sandbox-org-NAME", effect: "the API key of that organization" },
      { value: "token sandbox-solo-NAME", effect: "the API key of a user in no organization" },
      {
        value: "token sandbox-several-NAME",
        effect: "the API key of a user in two organizations",
      },
      { value: "token sandbox-full-NAME", effect: "an account that has reached its project limit" },
      {
        value: "token sandbox-free-NAME",
        effect: "422 for settings of a project that Neon's free plan does not include",
      },
      {
        value: `token sandbox-${UNMETERED_MARK}-NAME`,
        effect: "403 for the consumption history: the plan does not include it",
      },
      { value: "token sandbox-refused…", effect: "401: the key is invalid" },
      {
        value: `project name that contains "${QUOTA_MARK}"`,
        effect: "422: the project limit is exceeded",
      },
    ],
    errors: neonErrors,
    routes: [...accountRoutes, ...projectRoutes(adminUrl), ...roleRoutes, ...consumptionRoutes],
  };
}
