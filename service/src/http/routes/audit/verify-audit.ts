import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { createChainVerifier } from "../../../audit/chains/chain-verifier.ts";
import {
  AuditVerificationResource,
  presentAuditVerification,
} from "../../../audit/chains/verification-resource.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { principalOf, type Server } from "../../route.ts";
import { ChainName } from "./audit-query.ts";

export function verifyAuditRoute(server: Server, app: App): void {
  const verifyChain = createChainVerifier(app);
  server.route({
    method: "GET",
    url: "/api/v1/svc/audit/verify",
    config: {
      auth: "tenant",
      scope: "audit:read",
      projectBound: "refused",
      sample: { sdk: "audit.verify()" },
    },
    schema: {
      operationId: "verifyAudit",
      tags: ["Audit"],
      summary: "Recompute a hash chain of the tenant's and compare it with the external anchor",
      querystring: Type.Object(
        {
          chain: Type.Optional(ChainName),
          since: Type.Optional(
            Type.Literal("checkpoint", {
              description:
                "Begin at the last checkpoint that the anchor has, which `first_sequence` tells, instead of at the start. Without a checkpoint that matches the chain all of it is checked.",
            }),
          ),
        },
        { additionalProperties: false },
      ),
      response: { 200: AuditVerificationResource, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId } = principalOf(request);
      const { chain = "tenant", since = "start" } = request.query;
      return presentAuditVerification(chain, await verifyChain({ tenantId, chain }, since));
    },
  });
}
