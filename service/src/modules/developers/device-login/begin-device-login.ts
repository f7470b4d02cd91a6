import type { App } from "../../../app.ts";
import { countCall, enforceCallLimit } from "../../../call-limits/count-call.ts";
import { newSecretToken } from "../../../crypto/secret-token.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ClientInfo } from "../../../foundation/client-info.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { Scope } from "../../../foundation/vocabulary.ts";
import { UNKNOWN_TENANT } from "../unknown-tenant.ts";
import { hashUserCode, newUserCode } from "./codes.ts";
import { insertDeviceLogin } from "./queries.ts";

/** The default poll interval of RFC 8628, section 3.2. */
const INTERVAL_SECONDS = 5;
const LIFETIME_SECONDS = 600;
const CALLS = { limit: 10, windowMs: 60_000 };
/** Maximum number of user codes to generate until one is unused. Collisions are extremely unlikely. */
const ATTEMPTS_MAX = 5;

export interface BeginDeviceLogin {
  /** The device's name. The key is named after it. */
  readonly clientName: string;
  /** The scopes of the key. Empty: the default scopes of a key. */
  readonly scopes: readonly Scope[];
  readonly client: ClientInfo;
}

export interface BegunDeviceLogin {
  /** The secret with which the device polls for the key pair. Only its hash is stored. */
  readonly deviceCode: string;
  /** The code that the account owner types on the device page. Only its hash is stored. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/**
 * Starts the login of a device that has no browser (RFC 8628, section 3.1). Throws `rate_limited` on the eleventh call
 * of a network in a minute.
 */
export async function beginDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  command: BeginDeviceLogin,
): Promise<BegunDeviceLogin> {
  enforceCallLimit(await countCall(app, `device:${command.client.network}`, CALLS));
  const { token: deviceCode, tokenHash: deviceCodeHash } = newSecretToken();
  const at = app.clock.now();
  const userCode = await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    insertWithNewUserCode(tx, command, { deviceCodeHash, at }),
  );
  return {
    deviceCode,
    userCode,
    expiresInSeconds: LIFETIME_SECONDS,
    intervalSeconds: INTERVAL_SECONDS,
  };
}

async function insertWithNewUserCode(
  tx: Tx,
  { clientName, scopes, client: { network, userAgent } }: BeginDeviceLogin,
  { deviceCodeHash, at }: { readonly deviceCodeHash: string; readonly at: Date },
): Promise<string> {
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const userCode = newUserCode();
    const isInserted = await insertDeviceLogin(tx, {
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
    });
    if (isInserted) return userCode;
  }
  throw new AppError("service_unavailable", { internal: "no unused user code was found" });
}
