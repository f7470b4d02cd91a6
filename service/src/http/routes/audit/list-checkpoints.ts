import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { listCheckpoints } from "../../../audit/list-checkpoints.ts";
import type { KeptCheckpoint } from "../../../audit/queries.ts";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { Cursor, cursorPage, LIMIT_DEFAULT, Limit, presentPage } from "../../cursor.ts";
import { principalOf, type Server } from "../../route.ts";
import { ChainName, sequenceInCursor } from "./entry-out.ts";

const AuditCheckpoint = Type.Object(
  {
    object: Type.Literal("audit_checkpoint"),
    tenant_id: Type.String(),
    chain: ChainName,
    sequence: Type.Integer({ description: "How many entries the chain had." }),
    head_hash: Type.String(),
    time: Timestamp,
    prev_checkpoint_hash: Type.String(),
    checkpoint_hash: Type.String({
      description:
        "SHA-256 of the canonical JSON (RFC 8785) of tenant_id, chain, sequence, head_hash, time and prev_checkpoint_hash.",
    }),
    key_id: Type.String({ description: "Names the key in `/.well-known/jwks.json`." }),
    signature: Type.String({
      description: "Ed25519 over the text of `checkpoint_hash`, base64url.",
    }),
    anchored_at: Nullable(Timestamp),
    reference: Nullable(Type.String()),
  },
  { $id: "AuditCheckpoint" },
);

export function listCheckpointsRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/audit/checkpoints",
    config: { auth: "tenant", scope: "audit:read", projectBound: "refused" },
    schema: {
      operationId: "listAuditCheckpoints",
      tags: ["Audit"],
      summary: "The signed statements about a chain, newest first, each linked to the one before",
      querystring: Type.Object(
        {
          chain: Type.Optional(ChainName),
          cursor: Type.Optional(Cursor),
          limit: Type.Optional(Limit),
        },
        { additionalProperties: false },
      ),
      response: { 200: cursorPage(AuditCheckpoint), ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId } = principalOf(request);
      const { chain = "tenant", cursor, limit = LIMIT_DEFAULT } = request.query;
      const { checkpoints, hasMore } = await listCheckpoints(app, {
        key: { tenantId, chain },
        beforeSequence: sequenceInCursor(cursor),
        limit,
      });
      return presentPage({ items: checkpoints, hasMore }, presentCheckpoint, ({ sequence }) =>
        String(sequence),
      );
    },
  });
}

export function presentCheckpoint(checkpoint: KeptCheckpoint) {
  return {
    object: "audit_checkpoint" as const,
    tenant_id: checkpoint.tenantId,
    chain: checkpoint.chain,
    sequence: checkpoint.sequence,
    head_hash: checkpoint.headHash,
    time: checkpoint.time,
    prev_checkpoint_hash: checkpoint.prevCheckpointHash,
    checkpoint_hash: checkpoint.checkpointHash,
    key_id: checkpoint.keyId,
    signature: checkpoint.signature,
    anchored_at: checkpoint.anchoredAt?.toISOString() ?? null,
    reference: checkpoint.reference,
  };
}
