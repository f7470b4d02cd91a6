import { type Static, Type } from "typebox";
import { Parse } from "typebox/value";
import type { App } from "../../../app.ts";
import { developerActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, type ErrorCode } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { openVault, type TenantVault, type VaultContext } from "../../../vault/open-vault.ts";
import { type ApiKey, findApiKey } from "../keys/queries.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import {
  type DeviceLogin,
  deviceLoginRows,
  findDeviceLogin,
  increasePollInterval,
  lockPendingPair,
  recordPoll,
} from "./queries.ts";

const DevicePair = Type.Object({ apiKey: Type.String(), apiSecret: Type.String() });
/** An API key and its secret, stored encrypted until the device collects them. */
export type DevicePair = Static<typeof DevicePair>;

export function devicePairContext(deviceCodeHash: string): VaultContext {
  return { kind: "device_authorization", subject: deviceCodeHash, field: "pair", version: 1 };
}

export function sealPair(vault: TenantVault, deviceCodeHash: string, pair: DevicePair): Buffer {
  const { apiKey, apiSecret } = pair;
  return vault.seal(devicePairContext(deviceCodeHash), JSON.stringify({ apiKey, apiSecret }));
}

function openPair(vault: TenantVault, deviceCodeHash: string, sealed: Buffer): DevicePair {
  const text = vault.open(devicePairContext(deviceCodeHash), sealed).toString("utf8");
  return Parse(DevicePair, JSON.parse(text));
}

/** The interval increase for `slow_down` in RFC 8628, section 3.5. */
const INTERVAL_INCREMENT_SECONDS = 5;
const INTERVAL_SECONDS_MAX = 60;
/** Tolerance for polls that arrive slightly early because of varying network delays. */
const TOLERANCE_SECONDS = 1;

export interface CollectDevicePair {
  readonly deviceCode: string;
  readonly client: ClientInfo;
}

export interface CollectedPair extends DevicePair {
  readonly key: ApiKey;
}

type Access = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">;

/**
 * Returns the key pair (API key and secret) of an approved device login, once. Otherwise throws one of the errors in
 * RFC 8628, section 3.5: `authorization_pending`, `slow_down` if the device polls too often, `access_denied`,
 * `expired_token`, or `invalid_grant` if the device code is unknown or used.
 */
export async function collectDevicePair(
  app: Access,
  { deviceCode, client }: CollectDevicePair,
): Promise<CollectedPair> {
  const login = await findDeviceLogin(app.db, sha256Hex(deviceCode));
  if (login === undefined || login.status === "handed_out") throw new AppError("invalid_grant");
  if (login.expiresAt <= app.clock.now()) throw new AppError("expired_token");
  await enforcePollInterval(app, login);
  if (login.status !== "approved") throw new AppError(UNDECIDED[login.status]);
  return handOutPair(app, login, client);
}

const UNDECIDED = {
  pending: "authorization_pending",
  denied: "access_denied",
} as const satisfies Record<string, ErrorCode>;

async function enforcePollInterval(app: Access, { deviceCodeHash }: DeviceLogin): Promise<void> {
  const at = app.clock.now();
  const isDue = await withTransaction(app.db, UNKNOWN_TENANT, async (tx) => {
    if (await recordPoll(tx, { deviceCodeHash, at, toleranceSeconds: TOLERANCE_SECONDS })) return true;
    await increasePollInterval(tx, {
      deviceCodeHash,
      bySeconds: INTERVAL_INCREMENT_SECONDS,
      secondsMax: INTERVAL_SECONDS_MAX,
    });
    return false;
  });
  if (!isDue) throw new AppError("slow_down");
}

async function handOutPair(
  app: Access,
  { deviceCodeHash, tenantId, keyId, clientName }: DeviceLogin,
  client: ClientInfo,
): Promise<CollectedPair> {
  invariant(tenantId !== null && keyId !== null, "an approved login has an owner and a key");
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const sealed = await lockPendingPair(tx, deviceCodeHash);
    if (sealed === undefined)
      throw new AppError("invalid_grant", {
        internal: "another call has already returned the key pair",
      });
    const key = await findApiKey(tx, { tenantId, keyId });
    if (key === undefined || key.revokedAt !== null) {
      throw new AppError("access_denied", {
        internal: `${keyId} was revoked before its pair was collected`,
      });
    }
    await deviceLoginRows.update(tx, { deviceCodeHash }, { status: "handed_out", pairSealed: null });
    await appendAuditEntry(tx, developerActor({ tenantId, mode: key.mode }, client), {
      action: "device_login.collected",
      subject: { type: "api_key", id: keyId },
      facts: { client_name: clientName },
      occurredAt: app.clock.now(),
    });
    return { ...openPair(vault, deviceCodeHash, sealed), key };
  });
}
