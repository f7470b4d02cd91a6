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

/** The default poll interval in RFC 8628, section 3.2. */
const INTERVAL_SECONDS = 5;
const LIFETIME_SECONDS = 600;
const CALLS = { limit: 10, windowMs: 60_000 };
/** Maximum number of user codes to generate until an unused one is found. Collisions are extremely unlikely. */
const ATTEMPTS_MAX = 5;

export interface StartDeviceLogin {
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

/**
 * Starts a login for a device that has no browser (RFC 8628, section 3.1). Throws `rate_limited` after ten calls per
 * minute from one network.
 */
export async function startDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  command: StartDeviceLogin,
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
  { clientName, scopes, client: { network, userAgent } }: StartDeviceLogin,
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
  throw new AppError("service_unavailable", { internal: "could not find an unused user code" });
}
