import type { App } from "../../../app.ts";
import { createChainVerifier } from "../../../audit/chains/chain-verifier.ts";
import {
  AuditVerificationResource,
  presentAuditVerification,
} from "../../../audit/chains/verification-resource.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { principalOf, type Server } from "../../route.ts";

const CHAIN = "provider_keys";

export function verifyProviderKeysAuditRoute(server: Server, app: App): void {
  const verifyChain = createChainVerifier(app);
  server.route({
    method: "GET",
    url: "/api/v1/svc/developers/provider-keys/audit/verify",
    config: {
      auth: "tenant",
      scope: "audit:read",
      projectBound: "refused",
      sample: { sdk: "developers.providerKeys.verifyAudit()" },
    },
    schema: {
      operationId: "verifyProviderKeysAudit",
      tags: ["Developers"],
      summary:
        "Recompute the hash chain of the provider keys and compare it with the external anchor",
      response: { 200: AuditVerificationResource, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId } = principalOf(request);
      return presentAuditVerification(CHAIN, await verifyChain({ tenantId, chain: CHAIN }));
    },
  });
}
