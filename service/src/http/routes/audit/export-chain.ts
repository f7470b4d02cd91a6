import { Readable } from "node:stream";
import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { exportChain } from "../../../audit/chains/export-chain.ts";
import { credentialErrors } from "../../../foundation/wire/problem.ts";
import { actorOf } from "../../auth/principal.ts";
import { principalOf, type Server } from "../../route.ts";
import { ChainName } from "./audit-query.ts";

export function exportChainRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/audit/export",
    config: {
      auth: "tenant",
      scope: "audit:read",
      projectBound: "refused",
      responseHeaders: ["Content-Disposition"],
      sample: { sdk: "each audit.export()" },
    },
    schema: {
      operationId: "exportAuditChain",
      tags: ["Audit"],
      summary: "A whole chain as JSON lines, oldest first, to be checked by anybody",
      description:
        "Each line is the canonical JSON of an entry with its hash, those of both modes, since a chain is verified as a whole or not at all. With the checkpoints and our public keys an export is verified without us. Every export is audited before its first byte.",
      querystring: Type.Object(
        { chain: Type.Optional(ChainName), format: Type.Optional(Type.Literal("jsonl")) },
        { additionalProperties: false },
      ),
      response: {
        200: {
          description: "One entry a line.",
          content: {
            "application/x-ndjson": { schema: Type.Unsafe<Readable>({ type: "string" }) },
          },
        },
        ...credentialErrors,
      },
    },
    handler: async (request, reply) => {
      const actor = actorOf(request, principalOf(request));
      const { chain = "tenant" } = request.query;
      const pieces = await exportChain(app, { actor, chain });
      return reply
        .code(200)
        .header("content-type", "application/x-ndjson; charset=utf-8")
        .header("content-disposition", `attachment; filename="audit-${chain}.jsonl"`)
        .send(Readable.from(pieces, { objectMode: false }));
    },
  });
}
