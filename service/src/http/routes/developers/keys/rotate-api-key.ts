import { Type } from "typebox";
import { ROTATION_REASONS } from "../../../../foundation/vocabulary.ts";
import { StrictObject } from "../../../../foundation/wire/named-object.ts";
import { presentRotatedApiKey, RotatedApiKeyResource } from "../../../../modules/developers/keys/api-key-resource.ts";
import { type RotatedApiKey, rotateApiKey } from "../../../../modules/developers/keys/rotate-api-key.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint } from "../../../route.ts";
import { keyModesOf } from "./key-modes.ts";
import { signatureFields, verifiedPublicKey } from "./public-key.ts";

const DAY_SECONDS = 86_400;

const RotateApiKeyRequest = StrictObject("RotateApiKeyRequest", {
  grace_period_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * DAY_SECONDS,
      description: "How long the old key continues to work, in seconds: 0 to 604,800. Default: 86,400.",
    }),
  ),
  reason: Type.Optional(
    Type.Enum([...ROTATION_REASONS], {
      description:
        "Why the key is being replaced. A `compromised` key stops working immediately. Default: `scheduled`.",
    }),
  ),
  public_key: signatureFields.public_key,
  proof: signatureFields.proof,
});

export const rotateApiKeyRoute = endpoint("POST /api/v1/svc/developers/me/keys/:key_id/rotate", {
  operationId: "rotateApiKey",
  sdk: "developers.keys.rotate",
  summary: "Rotate an API key",
  description:
    "Replaces a key with a new one that has the same permissions. The new key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`. The old key works until its grace period ends. If the old key had itself replaced another key, that key stops working immediately. An Ed25519 key keeps its public key unless you send a new one, which is required if `reason` is `compromised`. Fails with `conflict` if the key is not active or was already replaced, and with `insufficient_scope` if the key has more permissions than the caller.",
  auth: "tenant",
  scope: "keys:write",
  replayGuard: "always",
  body: RotateApiKeyRequest,
  answers: { 200: RotatedApiKeyResource },
  errors: ["conflict", "insufficient_scope"],
  example: { grace_period_seconds: 3600 },
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const { grace_period_seconds = DAY_SECONDS, reason = "scheduled", ...rest } = request.body;
    const isEd25519 = rest.public_key !== undefined || rest.proof !== undefined;
    const command = {
      actor: actorOf(request),
      keyId: request.params.key_id,
      modes: keyModesOf(principal),
      gracePeriodSeconds: grace_period_seconds,
      reason,
      publicKey: isEd25519 ? verifiedPublicKey({ ...rest, signature_alg: "ed25519" }, principal.tenantId) : undefined,
    };
    const now = app.clock.now();
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: (rotated: RotatedApiKey) => presentRotatedApiKey(rotated, now),
      },
      (saveResponse) => rotateApiKey(app, command, saveResponse),
    );
  },
});
