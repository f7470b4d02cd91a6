import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { countCall, deleteCallCounts, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { type AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/vault.ts";
import { recordAccountChange } from "../developers.ts";
import { grantApiKey } from "../keys/api-keys.ts";
import type { ApiKey } from "../keys/queries.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { hashUserCode, sealPair } from "./device-login.ts";
import { type DeviceLogin, decideDeviceLogin, findPendingDeviceLogin } from "./queries.ts";

export interface DecideDeviceLogin {
  /** The account owner. If the login is approved, the device's API key gets this actor's mode (test or live). */
  readonly actor: Actor;
  readonly userCode: string;
}

/** A device login that has been approved or denied. `key` is null if it was denied. */
export interface DecidedDeviceLogin {
  readonly clientName: string;
  readonly key: ApiKey | null;
}

/**
 * Issues a key pair (API key and secret) for a device that is waiting for approval, and stores it encrypted until the
 * device collects it. The key gets the device's name. Throws the errors of `requirePendingDevice`, `requireRecentLogin`
 * and `grantApiKey`. If two decisions are made at the same time, the second one throws `validation_error`.
 */
export async function approveDeviceLogin(
  app: RecentLoginAccess,
  { actor, userCode, proof }: DecideDeviceLogin & { readonly proof: LoginProof },
  saveResponse: SaveResponse<DecidedDeviceLogin>,
): Promise<DecidedDeviceLogin> {
  const { tenantId, mode } = actor;
  const at = app.clock.now();
  const { deviceCodeHash, clientName, scopes, network } = await requirePendingDevice(app, {
    tenantId,
    userCode,
  });
  await requireRecentLogin(app, actor, proof);
  const vault = await openVault(app, tenantId);
  const request = {
    actor,
    mode,
    name: clientName,
    scopes: scopes.length === 0 ? undefined : scopes,
    metadata: {},
  };
  const { key } = await grantApiKey(app, request, async (tx, { key, apiKey, apiSecret }) => {
    const { keyId } = key;
    invariant(apiSecret !== null, "a key without a public key has a secret");
    const pairSealed = sealPair(vault, deviceCodeHash, { apiKey, apiSecret });
    const decision = { status: "approved", tenantId, keyId, pairSealed } as const;
    if (!(await decideDeviceLogin(tx, { deviceCodeHash, at, decision }))) {
      throw unknownUserCode();
    }
    await appendAuditEntry(tx, actor, {
      action: "device_login.approved",
      subject: { type: "api_key", id: keyId },
      facts: { client_name: clientName, network },
      occurredAt: at,
    });
    await saveResponse(tx, { clientName, key });
  });
  return { clientName, key };
}

/** Denies a device that is waiting for approval. The device's next poll fails with `access_denied`. */
export async function denyDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { actor, userCode }: DecideDeviceLogin,
  saveResponse: SaveResponse<DecidedDeviceLogin>,
): Promise<DecidedDeviceLogin> {
  const { tenantId } = actor;
  const at = app.clock.now();
  const { deviceCodeHash, clientName, network } = await requirePendingDevice(app, {
    tenantId,
    userCode,
  });
  return withTransaction(app.db, tenantId, async (tx) => {
    const decision = { status: "denied", tenantId } as const;
    if (!(await decideDeviceLogin(tx, { deviceCodeHash, at, decision }))) {
      throw unknownUserCode();
    }
    await recordAccountChange(tx, actor, {
      action: "device_login.denied",
      facts: { client_name: clientName, network },
      at,
    });
    const denied = { clientName, key: null };
    await saveResponse(tx, denied);
    return denied;
  });
}

/** Limit on wrong user codes per account. User codes are short, so without a limit an attacker could guess one. */
const WRONG_CODES = { limit: 5, windowMs: 900_000 };
/**
 * Limit on all codes, correct or wrong. It is needed because a correct code resets the count of wrong codes. Otherwise,
 * an attacker could enter the codes of their own devices between guesses and guess without limit.
 */
const CODES = { limit: 30, windowMs: 900_000 };

/** Returns the pending device login with this user code. Throws `validation_error` for `pointer` if there is none. */
export async function requirePendingDevice(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  {
    tenantId,
    userCode,
    pointer,
  }: { readonly tenantId: TenantId; readonly userCode: string; readonly pointer?: string },
): Promise<DeviceLogin> {
  const guesses = `user-code:${tenantId}`;
  enforceCallLimit(await countCall(app, guesses, WRONG_CODES));
  enforceCallLimit(await countCall(app, `user-codes:${tenantId}`, CODES));
  const waiting = await findPendingDeviceLogin(app.db, hashUserCode(userCode), app.clock.now());
  if (waiting === undefined) throw unknownUserCode(pointer);
  // If the count cannot be deleted, this call still succeeds. The account then reaches its limit sooner.
  await deleteCallCounts(app, guesses);
  return waiting;
}

function unknownUserCode(pointer = "/body/user_code"): AppError {
  return invalidField(
    pointer,
    "unknown",
    "is unknown, used or expired. Start the device's login again to get a new code.",
  );
}
