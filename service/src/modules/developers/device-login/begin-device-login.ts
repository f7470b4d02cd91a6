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

/** RFC 8628, section 3.2. */
const INTERVAL_SECONDS = 5;
const LIFE_SECONDS = 600;
const CALLS = { limit: 10, windowMs: 60_000 };
/** Two of the codes that wait are alike once in many millions of times. */
const CODES_MAX = 5;

export interface BeginDeviceLogin {
  /** What the device calls itself: the key is named after it. */
  readonly clientName: string;
  /** Empty: what a key may do that names no scopes. */
  readonly scopes: readonly Scope[];
  readonly client: ClientInfo;
}

export interface BegunDeviceLogin {
  /** With which the device asks whether it has been approved. Kept as a hash. */
  readonly deviceCode: string;
  /** What its owner types into our page, or is led there with. Kept as a hash. */
  readonly userCode: string;
  readonly expiresInSeconds: number;
  readonly intervalSeconds: number;
}

/** Begins the login of a device that has no browser. Throws `rate_limited` on the eleventh call of a network in a minute. */
export async function beginDeviceLogin(
  app: Pick<App, "db" | "clock" | "settings" | "fastState">,
  command: BeginDeviceLogin,
): Promise<BegunDeviceLogin> {
  enforceCallLimit(await countCall(app, `device:${command.client.network}`, CALLS));
  const { token: deviceCode, tokenHash: deviceCodeHash } = newSecretToken();
  const at = app.clock.now();
  const userCode = await withTransaction(app.db, UNKNOWN_TENANT, (tx) =>
    insertUnderFreeCode(tx, command, { deviceCodeHash, at }),
  );
  return {
    deviceCode,
    userCode,
    expiresInSeconds: LIFE_SECONDS,
    intervalSeconds: INTERVAL_SECONDS,
  };
}

async function insertUnderFreeCode(
  tx: Tx,
  { clientName, scopes, client: { network, userAgent } }: BeginDeviceLogin,
  { deviceCodeHash, at }: { readonly deviceCodeHash: string; readonly at: Date },
): Promise<string> {
  for (let attempt = 1; attempt <= CODES_MAX; attempt += 1) {
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
      expiresAt: new Date(at.getTime() + LIFE_SECONDS * 1000),
      createdAt: at,
    });
    if (isInserted) return userCode;
  }
  throw new AppError("service_unavailable", { internal: "no user code is free" });
}
