import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { invariant } from "../../../foundation/invariant.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { grantApiKey } from "../keys/grant-api-key.ts";
import type { ApiKey } from "../keys/queries.ts";
import {
  type LoginProof,
  type RecentLoginAccess,
  requireRecentLogin,
} from "../sessions/require-recent-login.ts";
import { sealPair } from "./device-pair.ts";
import { settleDeviceLogin } from "./queries.ts";
import { requirePendingDevice, unknownUserCode } from "./require-pending-device.ts";

export interface DecideDeviceLogin {
  /** Its mode is that of the key. */
  readonly actor: Actor;
  readonly userCode: string;
}

/** What became of a device's login. The key is null where it was denied. */
export interface DecidedDeviceLogin {
  readonly clientName: string;
  readonly key: ApiKey | null;
}

/**
 * Issues a key for a device that waits, named after it, and keeps the pair sealed until the device collects it. Throws as
 * `requirePendingDevice`, `requireRecentLogin` and `grantApiKey` do; of two who decide at once one does.
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
  const asked = {
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
  const { key } = await grantApiKey(app, asked, async (tx, { key, apiKey, apiSecret }) => {
    const { keyId } = key;
    invariant(apiSecret !== null, "a key without a public key has a secret");
    const pairSealed = sealPair(vault, deviceCodeHash, { apiKey, apiSecret });
    const decision = { status: "approved", tenantId, keyId, pairSealed } as const;
    if (!(await settleDeviceLogin(tx, { deviceCodeHash, at, decision }))) {
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
