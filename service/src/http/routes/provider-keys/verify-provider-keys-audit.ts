import type { App } from "../../../app.ts";
import { createChainVerifier } from "../../../audit/verify-in-turn.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { principalOf, type Server } from "../../route.ts";
import { AuditVerification, presentFindings } from "../audit/verification-out.ts";

const CHAIN = "provider_keys";

export function verifyProviderKeysAuditRoute(server: Server, app: App): void {
  const verifyChain = createChainVerifier(app);
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/provider-keys/audit/verify",
    config: { auth: "tenant", scope: "audit:read", projectBound: "refused" },
    schema: {
      operationId: "verifyProviderKeysAudit",
      tags: ["Developers"],
      summary:
        "Recompute the hash chain of the provider keys and compare it with the external anchor",
      response: { 200: AuditVerification, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId } = principalOf(request);
      return presentFindings(CHAIN, await verifyChain({ tenantId, chain: CHAIN }));
    },
  });
}
