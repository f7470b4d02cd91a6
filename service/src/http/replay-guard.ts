import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { callStore } from "../foundation/deadline.ts";
import { authenticationFailed } from "../foundation/errors.ts";

import { idempotencyKeyOf } from "./idempotency.ts";

const SAFE_METHODS = new Set(["GET", "HEAD"]);

/**
 * Holds a signature to one use where it matters (contract, ruling 3, "Replay guard"), since the nonce and the
 * Idempotency-Key are not signed: sent again with the same key the request may only be given its stored answer, sent again
 * otherwise it is refused. Under `money` this is the business of the operations that move money, which remember the
 * signature in their own transaction; under `strict` every unsafe method and every environment pull comes through here.
 */
export async function guardReplay(app: App, request: FastifyRequest): Promise<void> {
  const { principal, routeOptions } = request;
  if (principal?.kind !== "api_key") return;
  const isGuarded =
    !SAFE_METHODS.has(request.method) || routeOptions.config.replayGuard === "sensitive_read";
  if (!isGuarded) return;

  const seen = await callStore(
    app.fastState.guardSignature({
      keyHash: principal.keyHash,
      signature: principal.signature,
      idempotencyKey: idempotencyKeyOf(request) ?? null,
      expiresAtMs: principal.signatureExpiresAtMs,
      nowMs: app.clock.now().getTime(),
    }),
    app.settings.storeTimeoutMs,
    "guarding a signature",
  );
  if (seen === "other_key") throw authenticationFailed("replay guard: this signature was used");
  request.mayOnlyReplay = seen === "same_key";
}
