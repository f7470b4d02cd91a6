import type { Route } from "../route.ts";
import { verifyAuditRoute } from "./audit/verify-audit.ts";
import { getDeveloperRoute } from "./developers/get-developer.ts";
import { listApiKeysRoute } from "./developers/list-api-keys.ts";
import { revokeApiKeyRoute } from "./developers/revoke-api-key.ts";
import { getTimeRoute } from "./get-time.ts";
import { docsRoutes } from "./pages/docs.ts";
import { healthRoutes } from "./pages/health.ts";
import { jwksRoute } from "./pages/jwks.ts";
import { openapiRoute } from "./pages/openapi.ts";

/** Every endpoint of the service: the specification's in its order, then those beyond it, then pages and probes. */
export const routes: readonly Route[] = [
  getDeveloperRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
  getTimeRoute,
  verifyAuditRoute,
  healthRoutes,
  openapiRoute,
  docsRoutes,
  jwksRoute,
];
