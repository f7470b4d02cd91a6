import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage } from "../oauth/consent-page.ts";
import type { OAuthApp } from "../oauth/oauth-app.ts";
import { organizationRoutes, REFUSED_ACCOUNT } from "./accounts.ts";
import { supabaseConsentPage } from "./consent-page.ts";
import { tokenRoute } from "./oauth-token.ts";
import { projectRoutes } from "./projects.ts";
import { supabaseErrors } from "./supabase-errors.ts";

export interface SupabaseSimulatorOptions extends OAuthApp {
  /** How long after its creation a project is up. */
  readonly readyAfterMs: number;
}

/**
 * Supabase's Management API, as much of it as a project's life needs: consent, tokens, organizations, projects that come
 * up after a while, their keys and the address of their pooler. No database stands behind a project. Deprecated fields
 * are refused, except for `region`.
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
        effect: "is the account NAME, with an organization of its own; sandbox-ada is Ada",
      },
      { value: `access token sandbox-${REFUSED_ACCOUNT}…`, effect: "is refused with 401" },
      { value: "access token sandbox-linus", effect: "belongs to no organization" },
      {
        value: "access token sandbox-full…",
        effect: "its organization has no room for another project",
      },
      {
        value: "access token sandbox-init-fail…, or a project's name with init-fail in it",
        effect: "the project ends as INIT_FAILED instead of ACTIVE_HEALTHY",
      },
    ],
    errors: supabaseErrors,
    routes: [tokenRoute(options), ...organizationRoutes, ...projectRoutes(options)],
    pages: (server, context) => addConsentPage(server, context, supabaseConsentPage(options)),
  };
}
