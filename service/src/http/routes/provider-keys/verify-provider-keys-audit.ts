import { createChainVerifier } from "../../../audit/chains/chain-verifier.ts";
import { AuditVerificationResource, presentAuditVerification } from "../../../audit/chains/verification-resource.ts";
import { principalOf } from "../../auth/principal.ts";
import { endpoint, type Route } from "../../route.ts";

const CHAIN = "provider_keys";

export const verifyProviderKeysAuditRoute: Route = (server, app, tag) => {
  const verifyChain = createChainVerifier(app);
  const add = endpoint("GET /api/v1/svc/developers/provider-keys/audit/verify", {
    operationId: "verifyProviderKeysAudit",
    sdk: "developers.providerKeys.verifyAudit",
    summary: "Verify the provider keys audit chain",
    description:
      "Recomputes the hashes of the `provider_keys` audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked. Equivalent to `GET /audit/verify?chain=provider_keys`.",
    auth: "tenant",
    scope: "audit:read",
    answers: { 200: AuditVerificationResource },
    run: async (_app, request) => {
      const { tenantId } = principalOf(request);
      return presentAuditVerification(CHAIN, await verifyChain({ tenantId, chain: CHAIN }));
    },
  });
  add(server, app, tag);
};
