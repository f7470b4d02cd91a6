import { Type } from "typebox";
import { createChainVerifier } from "../../../audit/chains/chain-verifier.ts";
import { AuditVerificationResource, presentAuditVerification } from "../../../audit/chains/verification-resource.ts";
import { principalOf } from "../../auth/principal.ts";
import { endpoint, type Route } from "../../route.ts";
import { ChainName } from "./audit-query.ts";

export const verifyAuditRoute: Route = (server, app, tag) => {
  const verifyChain = createChainVerifier(app);
  const add = endpoint("GET /api/v1/svc/audit/verify", {
    operationId: "verifyAudit",
    sdk: "audit.verify",
    summary: "Verify an audit chain",
    description:
      "Recomputes the hashes of an audit chain and compares the chain with its newest checkpoint in external storage (the anchor). All entries recorded before the call are checked, unless `since` is sent.",
    auth: "tenant",
    scope: "audit:read",
    query: Type.Object(
      {
        chain: Type.Optional(ChainName),
        since: Type.Optional(
          Type.Literal("checkpoint", {
            description:
              "Send `checkpoint` to start the check at the newest checkpoint in the anchor instead of at the first entry. If `anchor.status` is not `matched`, all entries are checked.",
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 200: AuditVerificationResource },
    run: async (_app, request) => {
      const { tenantId } = principalOf(request);
      const { chain = "tenant", since = "start" } = request.query;
      return presentAuditVerification(chain, await verifyChain({ tenantId, chain }, since));
    },
  });
  add(server, app, tag);
};
