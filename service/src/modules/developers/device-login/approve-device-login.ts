import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { grantApiKey } from "../keys/grant-api-key.ts";
import type { ApiKey } from "../keys/queries.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { sealPair } from "./device-pair.ts";
import { decideDeviceLogin } from "./queries.ts";
import { requirePendingDevice, unknownUserCode } from "./require-pending-device.ts";

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
    agentIds: undefined,
    projectIds: undefined,
    ipAllowlist: undefined,
    rateLimitPerMinute: undefined,
    expiresAt: undefined,
    metadata: {},
    publicKey: undefined,
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
