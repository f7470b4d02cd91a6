import { Type } from "typebox";
import type { App } from "../../../../app.ts";
import { credentialErrors, Problem } from "../../../../foundation/wire/problem.ts";
import { describeSignature } from "../../../../modules/developers/index.ts";
import { BODY_BYTES_MAX, principalOf, type Server } from "../../../route.ts";

const Uuid = Type.String({ format: "uuid" });

const TestSignatureRequest = Type.Object(
  {
    method: Type.String({
      pattern: "^[A-Za-z]{1,10}$",
      description: "An HTTP method.",
      examples: ["POST"],
    }),
    path: Type.String({
      maxLength: 8_001,
      pattern: "^/[\\x21-\\x7e]*$",
      description: "In full, with its query where it has one: printable ASCII after a slash.",
      examples: ["/api/v1/svc/projects"],
    }),
    timestamp: Type.String({ pattern: "^\\d{10}$", description: "Ten digits, as in X-Timestamp." }),
    nonce: Type.Optional(
      Type.String({
        pattern: "^[\\x21-\\x7e]{16,128}$",
        description:
          "16 to 128 printable ASCII characters. Needed for an Ed25519 key, which signs it.",
      }),
    ),
    body: Type.Optional(
      Type.String({
        default: "",
        maxLength: BODY_BYTES_MAX.signed,
        description: "The body's own text.",
      }),
    ),
    agent_id: Type.Optional(Uuid),
    idempotency_key: Type.Optional(Uuid),
  },
  { $id: "TestSignatureRequest", additionalProperties: false },
);

const TestSignatureOut = Type.Object(
  {
    object: Type.Literal("test_signature"),
    key_id: Type.String(),
    signature_alg: Type.Enum(["hmac-sha256", "ed25519"]),
    canonical: Type.String({ description: "The text that is signed." }),
    also_accepted: Type.Array(Type.String(), {
      description: "Texts whose signature is as good.",
    }),
    body_hash: Type.String(),
    skew_seconds: Type.Integer({
      description: "How far the timestamp is ahead of this service's clock; up to 30 either way.",
    }),
  },
  { $id: "TestSignature" },
);

export function testSignatureRoute(server: Server, app: App): void {
  server.route({
    method: "POST",
    url: "/api/v1/svc/developers/me/keys/:key_id/test-signature",
    config: { auth: "tenant", scope: "keys:read", projectBound: "refused" },
    schema: {
      operationId: "testSignature",
      tags: ["Developers"],
      summary: "What a request must sign, for finding out why it is refused. For test keys only",
      params: Type.Object({ key_id: Type.String() }),
      body: TestSignatureRequest,
      response: { 200: TestSignatureOut, 404: Problem, ...credentialErrors },
    },
    handler: async (request) => {
      const { tenantId } = principalOf(request);
      const { body } = request;
      const { key, bodyHash, canonical, alsoAccepted } = await describeSignature(app, {
        tenantId,
        keyId: request.params.key_id,
        request: {
          method: body.method,
          target: body.path,
          timestamp: body.timestamp,
          nonce: body.nonce,
          body: body.body ?? "",
          agentId: body.agent_id,
          idempotencyKey: body.idempotency_key,
        },
      });
      const nowSeconds = Math.floor(app.clock.now().getTime() / 1000);
      return {
        object: "test_signature" as const,
        key_id: key.keyId,
        signature_alg: key.signatureAlg,
        canonical,
        also_accepted: [...alsoAccepted],
        body_hash: bodyHash,
        skew_seconds: Number(body.timestamp) - nowSeconds,
      };
    },
  });
}
