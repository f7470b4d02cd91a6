import type { Route } from "../route.ts";
import { verifyAuditRoute } from "./audit/verify-audit.ts";
import { getDeveloperRoute } from "./developers/get-developer.ts";
import { listApiKeysRoute } from "./developers/list-api-keys.ts";
import { revokeApiKeyRoute } from "./developers/revoke-api-key.ts";
import { getTimeRoute } from "./get-time.ts";

/** Every endpoint of the service: the specification's in its order, then those beyond it, then pages and probes. */
export const routes: readonly Route[] = [
  getDeveloperRoute,
  listApiKeysRoute,
  revokeApiKeyRoute,
  getTimeRoute,
  verifyAuditRoute,
];
