import { Type } from "typebox";
import { StrictObject, Text } from "../../../../foundation/wire/fields.ts";
import {
  describeSignature,
  presentTestSignature,
  TestSignatureResource,
} from "../../../../modules/developers/keys/describe-signature.ts";
import { principalOf } from "../../../auth/principal.ts";
import { BODY_BYTES_MAX, endpoint } from "../../../route.ts";

const Uuid = Type.String({ format: "uuid" });

const TestSignatureRequest = StrictObject("TestSignatureRequest", {
  method: Type.String({
    pattern: "^[A-Za-z]{1,10}$",
    description: "The HTTP method of the request to sign.",
    examples: ["POST"],
  }),
  path: Type.String({
    maxLength: 8_001,
    pattern: "^/[\\x21-\\x7e]*$",
    description: "The full path with its query string, in printable ASCII.",
    examples: ["/api/v1/svc/projects"],
  }),
  timestamp: Text("Unix time in seconds, as in `X-Timestamp`.", { pattern: "^\\d{10}$" }),
  nonce: Type.Optional(
    Text("16 to 128 printable ASCII characters, as in `X-Nonce`. Required for an Ed25519 key.", {
      pattern: "^[\\x21-\\x7e]{16,128}$",
    }),
  ),
  body: Type.Optional(Text("The request body as text. Default: empty.", { maxLength: BODY_BYTES_MAX.signed })),
  agent_id: Type.Optional({
    ...Uuid,
    description: "The value of the `X-Agent-ID` header. Only signatures with Ed25519 keys cover it.",
  }),
  idempotency_key: Type.Optional({
    ...Uuid,
    description: "The value of the `Idempotency-Key` header. Only signatures with Ed25519 keys cover it.",
  }),
});

export const testSignatureRoute = endpoint("POST /api/v1/svc/developers/me/keys/:key_id/test-signature", {
  operationId: "testSignature",
  sdk: "developers.keys.testSignature",
  summary: "Test a request's signature",
  description:
    "Returns the canonical string of a request, which is the text that its signature must cover. Use it to find out why a signature is rejected. Available for test keys only; fails with `api_key_not_found` for other keys. Never returns a signature or a secret.",
  auth: "tenant",
  scope: "keys:read",
  replayGuard: "strict",
  body: TestSignatureRequest,
  answers: { 200: TestSignatureResource },
  errors: ["api_key_not_found"],
  example: { method: "GET", path: "/api/v1/svc/projects", timestamp: "1785000000" },
  run: async (app, request) => {
    const { tenantId } = principalOf(request);
    const { body } = request;
    const description = await describeSignature(app, {
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
    return presentTestSignature(description, Number(body.timestamp) - nowSeconds);
  },
});
