import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { organizationRoutes, REFUSED_ACCOUNT } from "./accounts.ts";
import { supabaseConsentPage } from "./consent-page.ts";
import { credentialRoutes } from "./credentials.ts";
import { revokeRoute, tokenRoute } from "./oauth-token.ts";
import { projectRoutes } from "./projects.ts";
import { supabaseErrors } from "./supabase-errors.ts";

export interface SupabaseSimulatorOptions extends OAuthApp {
  /** Time until a new project is ready, in milliseconds. */
  readonly readyAfterMs: number;
}

/**
 * Simulates the part of Supabase's Management API that provisions a project: consent page, tokens and
 * their revocation, organizations, projects with a delayed start, their compute add-on, API keys, database password and the
 * pooler's address. Projects have no database. Deprecated fields are rejected, except for `region`.
 */
export function supabaseSimulator(options: SupabaseSimulatorOptions): VendorSimulator {
  return {
    vendor: "supabase",
    displayName: "Supabase",
    contractFile: "pruned/supabase.json",
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      {
        value: "access token sandbox-NAME",
        effect: "belongs to the account NAME, which has a separate organization. sandbox-ada belongs to Ada",
      },
      { value: `access token sandbox-${REFUSED_ACCOUNT}…`, effect: "is rejected with 401" },
      { value: "access token sandbox-linus", effect: "belongs to no organization" },
      {
        value: "access token sandbox-full…",
        effect: "belongs to an organization that has reached its project limit",
      },
      {
        value: "access token sandbox-free…",
        effect: "belongs to an organization on the free plan, which has no compute add-ons",
      },
      {
        value: "access token sandbox-init-fail…, or a project name that contains init-fail",
        effect: "the project becomes INIT_FAILED instead of ACTIVE_HEALTHY",
      },
    ],
    errors: supabaseErrors,
    routes: [
      tokenRoute(options),
      revokeRoute(options),
      ...organizationRoutes,
      ...projectRoutes(options),
      ...credentialRoutes,
    ],
    pages: (server, context) => addConsentPage(server, context, supabaseConsentPage(options)),
  };
}
