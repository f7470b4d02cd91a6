import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addConsentPage } from "../oauth/consent-page.ts";
import { accountRequestRoute, agenticConsentPage, revokeRoute, tokenRoute } from "./accounts.ts";
import { agenticErrors } from "./agentic-errors.ts";
import type { AgenticSimulatorOptions } from "./agentic-options.ts";
import { listServicesRoute } from "./list-services.ts";
import { resourceRoutes } from "./resources.ts";
import { addServiceApi } from "./service-api.ts";
import { API_VERSION, versioned } from "./versioned.ts";

/** Simulates a provider that implements the agentic provisioning protocol, version 0.1d. */
export function agenticSimulator(options: AgenticSimulatorOptions): VendorSimulator {
  const { shape } = options;
  return {
    vendor: shape.vendor,
    displayName: shape.displayName,
    contractFile: "handwritten/agentic-provisioning-0.1d.yaml",
    contractPrefix: "",
    bodies: "json",
    magicValues: [
      { value: "access token sandbox-NAME", effect: "belongs to the account NAME" },
      { value: "access token sandbox-refused…", effect: "401: the token is invalid" },
      { value: "email existing…", effect: "has an account, so a user must give consent" },
    ],
    errors: agenticErrors,
    routes: [
      {
        ...{ operation: "health", method: "GET", url: "/provisioning/health" },
        auth: async () => "anyone",
        handle: versioned(async () => ({
          status: 200,
          body: { status: "ok", supported_versions: [API_VERSION] },
        })),
      },
      listServicesRoute(shape),
      accountRequestRoute(options),
      tokenRoute(options),
      ...(shape.revokesTokens ? [revokeRoute(options)] : []),
      ...resourceRoutes(shape),
    ],
    pages: (server, context) => {
      addConsentPage(server, context, agenticConsentPage(options));
      addServiceApi(server, context, shape);
    },
  };
}
