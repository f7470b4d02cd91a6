import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { callStore } from "../foundation/deadline.ts";
import { signatureReplayed } from "./auth/record-auth-failure.ts";
import { idempotencyKeyOf } from "./idempotency.ts";

/** Returns true if the route accepts a signature only once. Routes that move money remember signatures in the database. */
export function isReplayGuarded({ settings }: App, { routeOptions }: FastifyRequest): boolean {
  const { replayGuard } = routeOptions.config;
  return replayGuard === "always" || (replayGuard === "strict" && settings.replayGuard === "strict");
}

/**
 * Rejects a signature that was used before (docs/rules/replay-protection.md). HMAC signatures do not cover the nonce
 * and the Idempotency-Key, so an attacker could send a captured request again with other values in these headers. A
 * repeated signature with the same Idempotency-Key gets the stored response. Any other repetition is a 409.
 */
export async function guardReplay(app: App, request: FastifyRequest): Promise<void> {
  const { principal } = request;
  if (principal?.kind !== "api_key") return;
  const seen = await callStore(
    app.fastState.guardSignature({
      keyHash: principal.keyHash,
      signature: principal.signature,
      idempotencyKey: idempotencyKeyOf(request) ?? null,
      signedAtMs: principal.signedAtMs,
      expiresAtMs: principal.signatureExpiresAtMs,
      nowMs: app.clock.now().getTime(),
    }),
    app.settings.storeTimeoutMs,
    "guarding a signature",
  );
  if (seen === "other_key") throw signatureReplayed(app, request, "replay guard: signature already used");
  request.mayOnlyReplay = seen === "same_key";
}
