import { Type } from "typebox";
import { ROTATION_REASONS } from "../../../../foundation/vocabulary.ts";
import { AgentIdsIn, agentIdsOf } from "../../../../foundation/wire/agent-ids.ts";
import { Count, ModeName, OneOf, StrictObject } from "../../../../foundation/wire/fields.ts";
import {
  ApiKeyResource,
  IssuedApiKeyResource,
  presentApiKey,
  presentIssuedApiKey,
  presentRevokedApiKey,
  presentRotatedAccountPair,
  presentRotatedApiKey,
  RevokedApiKeyResource,
  RotatedAccountPairResource,
  RotatedApiKeyResource,
} from "../../../../modules/developers/keys/api-key-resource.ts";
import { type IssuedApiKey, listOwnApiKeys } from "../../../../modules/developers/keys/api-keys.ts";
import {
  type RotatedAccountPair,
  type RotatedApiKey,
  rotateAccountPair,
  rotateApiKey,
} from "../../../../modules/developers/keys/rotate-api-key.ts";
import { revokeApiKey } from "../../../../modules/developers/keys/withdraw-keys.ts";
import { createApiKey } from "../../../../workflows/create-api-key.ts";
import { actorOf, principalOf } from "../../../auth/principal.ts";
import { CursorQuery, cursorPage, decodeCursor, LIMIT_DEFAULT, presentPageBefore } from "../../../cursor.ts";
import { replyOnce } from "../../../idempotency.ts";
import { endpoint, type Route } from "../../../route.ts";
import {
  keyModesOf,
  keyRestrictionsOf,
  newKeyFields,
  requestedModeOrLive,
  signatureFields,
  verifiedPublicKey,
} from "./new-key-fields.ts";

const CreateApiKeyRequest = StrictObject("CreateApiKeyRequest", {
  ...newKeyFields,
  mode: Type.Optional({
    ...ModeName,
    description: "The mode of the key. Default: the caller's mode. Test keys can only create test keys.",
  }),
  agent_ids: Type.Optional(
    AgentIdsIn("UUIDs of the agents that the key is bound to. Default: the `agent_ids` of the calling key."),
  ),
});

const createApiKeyRoute = endpoint("POST /api/v1/svc/developers/me/keys", {
  operationId: "createApiKey",
  sdk: "developers.keys.issue",
  summary: "Create an API key",
  description:
    "Creates a key pair. By default, the new key has the restrictions of the calling key and most of its scopes (see `scopes`). For a dashboard session, the defaults are those of a key with all scopes and no restrictions. Fails with `insufficient_scope` if the new key would have more permissions than the caller. The key and its secret are returned only in this response. If you lose the response, a retry with the same `Idempotency-Key` fails with `secret_already_issued`: revoke the key and create another. Fails with `conflict` if the account already has 100 active keys.",
  auth: "tenant",
  scope: "keys:write",
  replayGuard: "always",
  body: CreateApiKeyRequest,
  answers: { 200: IssuedApiKeyResource },
  errors: ["insufficient_scope", "conflict"],
  example: { name: "CI", mode: "test" },
  run: async (app, request, reply) => {
    const principal = principalOf(request);
    const actor = actorOf(request);
    const { body } = request;
    const command = {
      actor,
      name: body.name,
      mode: body.mode ?? actor.mode,
      ...keyRestrictionsOf(body, app.clock.now()),
      agentIds: body.agent_ids && agentIdsOf(body.agent_ids),
      metadata: body.metadata ?? {},
      publicKey: verifiedPublicKey(body, principal.tenantId),
    };
    const now = app.clock.now();
    const present = (issued: IssuedApiKey) => presentIssuedApiKey(issued, now);
    return replyOnce(app, request, reply, { status: 200, secret: true, present }, (saveResponse) =>
      createApiKey(app, command, saveResponse),
    );
  },
});

const KEY_ID = /^key_[0-9a-z]{26}$/;

const listApiKeysRoute = endpoint("GET /api/v1/svc/developers/me/keys", {
  operationId: "listApiKeys",
  sdk: "developers.keys.list",
  summary: "List API keys",
  description:
    "Returns the developer's keys, newest first. The first page contains all keys that are not revoked and up to `limit` revoked keys; the following pages contain only revoked keys. Live keys and dashboard sessions can list keys of both modes. Test keys can list only test keys.",
  auth: "tenant",
  scope: "keys:read",
  query: CursorQuery,
  answers: { 200: cursorPage(ApiKeyResource) },
  run: async (app, request) => {
    const principal = principalOf(request);
    const { tenantId } = principal;
    const { cursor, limit = LIMIT_DEFAULT } = request.query;
    const { keys, nextBefore } = await listOwnApiKeys(app, {
      tenantId,
      modes: keyModesOf(principal),
      beforeKeyId: decodeCursor(cursor, KEY_ID),
      limit,
    });
    const now = app.clock.now();
    const presented = keys.map((key) => presentApiKey(key, now));
    return presentPageBefore(presented, nextBefore);
  },
});

const DAY_SECONDS = 86_400;

const RotateApiKeyRequest = StrictObject("RotateApiKeyRequest", {
  grace_period_seconds: Type.Optional(
    Count("How long the old key continues to work, in seconds: 0 to 604,800. Default: 86,400.", {
      minimum: 0,
      maximum: 7 * DAY_SECONDS,
    }),
  ),
  reason: Type.Optional(
    OneOf(
      ROTATION_REASONS,
      "Why the key is being replaced. A `compromised` key stops working immediately. Default: `scheduled`.",
    ),
  ),
  public_key: signatureFields.public_key,
  proof: signatureFields.proof,
});

const rotateApiKeyRoute = endpoint("POST /api/v1/svc/developers/me/keys/:key_id/rotate", {
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

const revokeApiKeyRoute = endpoint("DELETE /api/v1/svc/developers/me/keys/:key_id", {
  operationId: "revokeApiKey",
  sdk: "developers.keys.revoke",
  summary: "Revoke an API key",
  description:
    "Revokes the key, which stops working immediately. If the key replaced another key that is still in its grace period, that key is revoked too. Revoking a revoked key changes nothing. `warnings` contains `last_live_key` if no live key is left. Fails with `api_key_not_found` for an unknown key.",
  auth: "tenant",
  scope: "keys:write",
  replayGuard: "strict",
  answers: { 200: RevokedApiKeyResource },
  errors: ["api_key_not_found"],
  run: async (app, request) => {
    const principal = principalOf(request);
    const revoked = await revokeApiKey(app, {
      actor: actorOf(request),
      keyId: request.params.key_id,
      modes: keyModesOf(principal),
    });
    return presentRevokedApiKey(revoked, app.clock.now());
  },
});

const rotateAccountPairRoute = endpoint("POST /api/v1/svc/developers/rotate-key", {
  operationId: "rotateAccountPair",
  sdk: "developers.keys.rotateAccountPair",
  summary: "Rotate the account's key pair",
  description:
    "Replaces the account's own key pair in the mode of `X-Svc-Mode` (default: `live`). This is the pair that `POST /developers/register` creates. If the account has no such pair in this mode, creates one. The old pair stops working immediately. Other keys are unchanged. The new pair always has a secret, even if it replaces an Ed25519 key. The key and its secret are returned only in this response; a retry with the same `Idempotency-Key` fails with `secret_already_issued`.",
  auth: "dashboard",
  answers: { 200: RotatedAccountPairResource },
  errors: ["secret_already_issued"],
  run: async (app, request, reply) => {
    const mode = requestedModeOrLive(request);
    const actor = { ...actorOf(request), mode };
    const now = app.clock.now();
    return replyOnce(
      app,
      request,
      reply,
      {
        status: 200,
        secret: true,
        present: (rotated: RotatedAccountPair) => presentRotatedAccountPair(rotated, now),
      },
      (saveResponse) => rotateAccountPair(app, { actor, mode }, saveResponse),
    );
  },
});

export const apiKeyRoutes: readonly Route[] = [
  listApiKeysRoute,
  createApiKeyRoute,
  revokeApiKeyRoute,
  rotateApiKeyRoute,
  rotateAccountPairRoute,
];
