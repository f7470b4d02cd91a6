import { randomInt } from "node:crypto";
import { type Static, Type } from "typebox";
import { Parse } from "typebox/value";
import type { App } from "../../../app.ts";
import { developerActor, systemActor } from "../../../audit/actors.ts";
import { appendAuditEntry } from "../../../audit/append.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError, type ErrorCode } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { MODES, type Scope } from "../../../foundation/vocabulary.ts";
import { openVault, type TenantVault, type VaultContext } from "../../../vault/vault.ts";
import { UNKNOWN_TENANT } from "../developers.ts";
import { type ApiKey, apiKeyRows } from "../keys/queries.ts";
import { revokeApiKey } from "../keys/withdraw-keys.ts";
import { type DeviceLogin, deviceLoginRows, increasePollInterval, recordPoll, uncollectedLogins } from "./queries.ts";

/**
 * The letters used in user codes. There are no vowels, so that codes do not spell words, and no letters that are easily
 * confused (RFC 8628, section 6.1). An eight-letter code has 34 bits of entropy.
 */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
const HALF = LENGTH / 2;

function newUserCode(): string {
  const letters = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, HALF)}-${letters.slice(HALF)}`;
}

/** Returns the hash used to look up a user code. Ignores case and separators. */
export function hashUserCode(userCode: string): string {
  return sha256Hex(lettersOf(userCode));
}

function lettersOf(text: string): string {
  return text.toUpperCase().replaceAll(/[^A-Z]/g, "");
}

/** The default poll interval in RFC 8628, section 3.2. */
const INTERVAL_SECONDS = 5;
const LIFETIME_SECONDS = 600;
const CALLS = { limit: 10, windowMs: 60_000 };

interface StartDeviceLogin {
  /** The device's name. The issued API key gets the same name. */
  readonly clientName: string;
  /** The scopes of the issued API key. An empty list means the default scopes. */
  readonly scopes: readonly Scope[];
  readonly client: ClientInfo;
}

export interface BegunDeviceLogin {
  /** The secret that the device sends when it polls for the key pair. Only its hash is stored. */
  readonly deviceCode: string;
  /** The code that the account owner enters on the device page. Only its hash is stored. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** Starts a login for a device that has no browser (RFC 8628, section 3.1). */
export async function startDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  { clientName, scopes, client }: StartDeviceLogin,
): Promise<BegunDeviceLogin> {
  const { network, userAgent } = client;
  enforceCallLimit(await countCall(app, `device:${network}`, CALLS));
  const { token: deviceCode, tokenHash: deviceCodeHash } = newSecretToken();
  const userCode = newUserCode();
  const at = app.clock.now();
  const isInserted = await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    deviceLoginRows.insertIfNew(tx, {
      deviceCodeHash,
      userCodeHash: hashUserCode(userCode),
      clientName,
      scopes,
      network,
      userAgent,
      status: "pending",
      pollIntervalSeconds: INTERVAL_SECONDS,
      expiresAt: new Date(at.getTime() + LIFETIME_SECONDS * 1000),
      createdAt: at,
    }),
  );
  // Another device has this code. That is so rare that the device can call again.
  if (!isInserted) throw new AppError("service_unavailable", { internal: "the new user code is in use" });
  return {
    deviceCode,
    userCode,
    expiresInSeconds: LIFETIME_SECONDS,
    intervalSeconds: INTERVAL_SECONDS,
  };
}

/** As long as other expired device logins are kept (`service/src/due-work/retention/queries.ts`). */
const RETENTION_MS = 3_600_000;

/** Revokes the keys of device logins that were never collected, because their secrets can no longer be retrieved. */
export async function revokeUncollectedKeys(app: Pick<App, "db" | "clock" | "fastState" | "settings">): Promise<void> {
  const before = new Date(app.clock.now().getTime() - RETENTION_MS);
  await tryEach(uncollectedLogins(app.db, before), async ({ deviceCodeHash, tenantId, keyId }) => {
    const actor = systemActor({ tenantId, mode: "live" });
    await revokeApiKey(app, { actor, keyId, modes: MODES });
    await withTransaction(app.db, tenantId, (tx) => deviceLoginRows.remove(tx, { deviceCodeHash }));
  });
}

const DevicePair = Type.Object({ apiKey: Type.String(), apiSecret: Type.String() });
/** An API key and its secret, stored encrypted until the device collects them. */
type DevicePair = Static<typeof DevicePair>;

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

interface CollectDevicePair {
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
  const login = await deviceLoginRows.find(app.db, { deviceCodeHash: sha256Hex(deviceCode) });
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
    const locked = await deviceLoginRows.lock(tx, { deviceCodeHash });
    if (locked?.status !== "approved" || locked.pairSealed === null) {
      throw new AppError("invalid_grant", {
        internal: "another call has already returned the key pair",
      });
    }
    const key = await apiKeyRows.find(tx, { tenantId, keyId });
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
    return { ...openPair(vault, deviceCodeHash, locked.pairSealed), key };
  });
}
