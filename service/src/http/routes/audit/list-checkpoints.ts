import { Type } from "typebox";
import { AuditCheckpointResource, presentAuditCheckpoint } from "../../../audit/checkpoints/checkpoint-resource.ts";
import { listCheckpoints } from "../../../audit/checkpoints/list-checkpoints.ts";
import { principalOf } from "../../auth/principal.ts";
import { CursorQuery, cursorPage, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";
import { ChainName, sequenceInCursor } from "./audit-query.ts";

export const listCheckpointsRoute = endpoint("GET /api/v1/svc/audit/checkpoints", {
  operationId: "listAuditCheckpoints",
  sdk: "audit.checkpoints",
  summary: "List audit checkpoints",
  description:
    "Returns the signed checkpoints of an audit chain, newest first. Each checkpoint contains the hash of the previous checkpoint. The public keys for the signatures are at `/.well-known/jwks.json`.",
  auth: "tenant",
  scope: "audit:read",
  query: Type.Object(
    {
      chain: Type.Optional(ChainName),
      ...CursorQuery.properties,
    },
    { additionalProperties: false },
  ),
  answers: { 200: cursorPage(AuditCheckpointResource) },
  run: async (app, request) => {
    const { tenantId } = principalOf(request);
    const { chain = "tenant", cursor, limit = LIMIT_DEFAULT } = request.query;
    const page = await listCheckpoints(app, {
      key: { tenantId, chain },
      beforeSequence: sequenceInCursor(cursor),
      limit,
    });
    return presentPage(page, presentAuditCheckpoint, ({ sequence }) => String(sequence));
  },
});
