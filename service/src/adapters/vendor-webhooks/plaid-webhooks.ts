import { decodeProtectedHeader, jwtVerify } from "jose";
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import { equalInConstantTime, sha256Hex } from "../../crypto/signing.ts";
import { parseJson } from "../../foundation/text.ts";
import { MODES, type Mode } from "../../foundation/vocabulary.ts";
import { Nullable } from "../../foundation/wire/fields.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorEvent, VendorWebhooks, VerifiedWebhook } from "../../ports/vendor-webhooks.ts";
import { createPlaidCaller, type PlaidCaller, type PlaidOptions } from "../bank-link/call-plaid.ts";
import { VendorId } from "../http-client/vendor-client.ts";

const ALGORITHM = "ES256";
const AGE_MAX_SECONDS = 300;
const CLOCK_DIFFERENCE_MAX_SECONDS = 60;
/** The time after which a key is read again, so that its expiry becomes known. */
const KEYS_KEPT_MS = 10 * 60_000;
/** Minimum time after a fetch that found no key, because anybody can send key ids that Plaid does not know. */
const KEYS_COOL_DOWN_MS = 30_000;

const keyResponse = Type.Object({
  key: Type.Object({
    kid: VendorId,
    ...{ alg: Type.Literal(ALGORITHM), kty: Type.Literal("EC"), crv: Type.Literal("P-256"), x: VendorId, y: VendorId },
    /** Unix time in seconds. */
    expired_at: Nullable(Type.Integer()),
  }),
});
const claims = Type.Object({ iat: Type.Integer(), request_body_sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }) });
const report = Type.Object({ webhook_type: VendorId, webhook_code: VendorId });

/** The types of webhooks that are about an object: the object's type, and the field with its id. */
const OBJECTS: ReadonlyMap<string, { readonly objectType: string; readonly field: string }> = new Map([
  ["ITEM", { objectType: "item", field: "item_id" }],
  ["AUTH", { objectType: "item", field: "item_id" }],
  ["SCREENING", { objectType: "screening", field: "screening_id" }],
  ["ENTITY_SCREENING", { objectType: "screening", field: "entity_screening_id" }],
]);

interface FoundKey {
  readonly key: Static<typeof keyResponse>["key"];
  /** The mode whose credentials know the key. */
  readonly mode: Mode;
}

/**
 * Verifies Plaid's webhooks (https://plaid.com/docs/api/webhooks/webhook-verification). `verify` throws a `VendorError` if the
 * key cannot be fetched. A mode without credentials is null.
 */
export function createPlaidWebhooks(options: Readonly<Record<Mode, PlaidOptions | null>>): VendorWebhooks {
  const findKey = createKeyCache(options);
  return {
    verify: async ({ rawBody, headers, receivedAt }) => {
      const token = String(headers["plaid-verification"]);
      const keyId = keyIdOf(token);
      if (keyId === undefined) return undefined;
      const found = await findKey(keyId, receivedAt.getTime());
      if (found === undefined) return undefined;
      const bodyHash = sha256Hex(rawBody);
      const issuedAt = await issuedAtOf(token, { ...found, bodyHash, receivedAt });
      if (issuedAt === undefined) return undefined;
      return eventOf(rawBody, { eventId: sha256Hex(`${bodyHash}.${issuedAt}`), mode: found.mode });
    },
  };
}

/** Returns the id of the key in the header of the token, which is not verified yet. */
function keyIdOf(token: string): string | undefined {
  try {
    const { alg, kid } = decodeProtectedHeader(token);
    return alg === ALGORITHM && Check(VendorId, kid) ? kid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns the time in seconds at which the token was issued. Returns undefined if the token is not valid now or is not about
 * this body.
 */
async function issuedAtOf(
  token: string,
  { key, bodyHash, receivedAt }: FoundKey & { readonly bodyHash: string; readonly receivedAt: Date },
): Promise<number | undefined> {
  const now = receivedAt.getTime() / 1_000;
  if (key.expired_at !== null && key.expired_at <= now) return undefined;
  const options = { algorithms: [ALGORITHM], currentDate: receivedAt };
  const verified = await jwtVerify(token, key, options).catch(() => undefined);
  if (!Check(claims, verified?.payload)) return undefined;
  const { iat, request_body_sha256: signedHash } = verified.payload;
  const ageSeconds = now - iat;
  const isCurrent = ageSeconds <= AGE_MAX_SECONDS && ageSeconds >= -CLOCK_DIFFERENCE_MAX_SECONDS;
  return isCurrent && equalInConstantTime(Buffer.from(signedHash), Buffer.from(bodyHash)) ? iat : undefined;
}

function eventOf(rawBody: Buffer, identity: Pick<VendorEvent, "eventId" | "mode">): VerifiedWebhook {
  const content = parseJson(rawBody.toString());
  if (!Check(report, content)) return { event: null };
  const { webhook_type: type, webhook_code: code } = content;
  const about = OBJECTS.get(type);
  const objectId = about && Object.entries(content).find(([name]) => name === about.field)?.[1];
  if (about === undefined || !Check(VendorId, objectId)) return { event: null };
  return { event: { ...identity, type: `${type}.${code}`, objectType: about.objectType, objectId } };
}

type FindKey = (keyId: string, nowMs: number) => Promise<FoundKey | undefined>;

function createKeyCache(options: Readonly<Record<Mode, PlaidOptions | null>>): FindKey {
  const callers = MODES.flatMap((mode) => {
    const plaid = options[mode];
    return plaid === null ? [] : [{ mode, plaid: createPlaidCaller(plaid) }];
  });
  const kept = new Map<string, { readonly found: FoundKey; readonly readAtMs: number }>();
  const none = { keyId: "", startedAtMs: Number.NEGATIVE_INFINITY, found: Promise.resolve(undefined) };
  /** The fetch that is running, or the last one if it found no key. */
  let latest: { keyId: string; startedAtMs: number; found: Promise<FoundKey | undefined> } = none;

  async function startFetch(keyId: string, nowMs: number): Promise<FoundKey | undefined> {
    latest = { keyId, startedAtMs: nowMs, found: fetchKey(callers, keyId) };
    const found = await latest.found;
    if (found === undefined) {
      kept.delete(keyId);
    } else {
      kept.set(keyId, { found, readAtMs: nowMs });
      latest = none;
    }
    return found;
  }

  return async (keyId, nowMs) => {
    const known = kept.get(keyId);
    if (known !== undefined && nowMs - known.readAtMs < KEYS_KEPT_MS) return known.found;
    if (latest !== none && latest.keyId !== keyId) await latest.found.catch(() => undefined);
    if (nowMs - latest.startedAtMs >= KEYS_COOL_DOWN_MS) return startFetch(keyId, nowMs);
    return latest.keyId === keyId ? latest.found : known?.found;
  };
}

/** Throws if no mode knows the key, and a mode did not say whether it does. */
async function fetchKey(
  callers: readonly { readonly mode: Mode; readonly plaid: PlaidCaller }[],
  keyId: string,
): Promise<FoundKey | undefined> {
  let problem: unknown;
  for (const { mode, plaid } of callers) {
    try {
      const { key } = await plaid.call({
        ...{ operation: "webhookVerificationKeyGet", path: "/webhook_verification_key/get", reads: true },
        ...{ body: { key_id: keyId }, schema: keyResponse },
        isRequestedObject: (response) => response.key.kid === keyId,
      });
      return { key, mode };
    } catch (error) {
      const isUnknown = error instanceof VendorError && (error.failure === "refused" || error.failure === "not_found");
      if (!isUnknown) problem = error;
    }
  }
  if (problem !== undefined) throw problem;
  return undefined;
}
