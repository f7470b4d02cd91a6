import { Readable } from "node:stream";
import { Type } from "typebox";
import { exportChain } from "../../../audit/chains/export-chain.ts";
import { actorOf } from "../../auth/principal.ts";
import { endpoint } from "../../route.ts";
import { ChainName } from "./audit-query.ts";

export const exportChainRoute = endpoint("GET /api/v1/svc/audit/export", {
  operationId: "exportAuditChain",
  sdk: "audit.export",
  summary: "Export an audit chain",
  description:
    "Returns a whole audit chain as JSON lines, oldest entry first. Each line is the canonical JSON (RFC 8785) of an entry, including its hash. Entries of both modes are included, because a chain can only be verified as a whole. To verify an export offline, use `GET /audit/checkpoints` and the public keys at `/.well-known/jwks.json`. Each export adds an entry to the `tenant` chain.",
  auth: "tenant",
  scope: "audit:read",
  responseHeaders: ["Content-Disposition"],
  query: Type.Object(
    { chain: Type.Optional(ChainName), format: Type.Optional(Type.Literal("jsonl")) },
    { additionalProperties: false },
  ),
  answers: {
    200: {
      description: "The audit entries as JSON lines, one entry per line.",
      content: {
        "application/x-ndjson": { schema: Type.Unsafe<Readable>({ type: "string" }) },
      },
    },
  },
  run: async (app, request, reply) => {
    const actor = actorOf(request);
    const { chain = "tenant" } = request.query;
    const chunks = await exportChain(app, { actor, chain });
    return reply
      .code(200)
      .header("content-type", "application/x-ndjson; charset=utf-8")
      .header("content-disposition", `attachment; filename="audit-${chain}.jsonl"`)
      .send(Readable.from(chunks, { objectMode: false }));
  },
});
