import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import type { Actor } from "@purser/service/audit/append.ts";
import { newTotpSecret } from "@purser/service/crypto/totp.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { OPERATOR_TENANT } from "@purser/service/foundation/ids.ts";
import { isWorkingAdmin, putAdmin } from "@purser/service/modules/admins/admins.ts";
import { openVault } from "@purser/service/vault/vault.ts";
import { parseFields } from "./file-fields.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** The admin account that the first start creates. The fields have the same names in the API and in `admin.json`. */
export interface LocalAdmin {
  readonly email: string;
  readonly password: string;
  /** The TOTP secret in base32. */
  readonly totp_secret: string;
}

const EMAIL = "admin@purser.local";
const ACTOR: Actor = {
  tenantId: OPERATOR_TENANT,
  mode: "live",
  actor: { type: "system", id: "local-profile", key_id: null, ip: null },
  requestId: null,
};

/**
 * Returns the admin that `admin.json` in the data folder describes. If these credentials do not work, creates and
 * stores a new password and TOTP secret. If the process is killed during the start, the next start repairs the account.
 */
export async function ensureLocalAdmin(app: App, dataDir: string): Promise<LocalAdmin> {
  const path = join(dataDir, "admin.json");
  const known = readAdmin(await readPrivateFile(path));
  if (known !== undefined && (await works(app, known))) return known;

  const password = randomBytes(18).toString("base64url");
  const admin = { email: EMAIL, password, totp_secret: newTotpSecret() };
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, OPERATOR_TENANT);
  return withTransaction(app.db, OPERATOR_TENANT, async (tx) => {
    const secrets = { email: EMAIL, passwordHash, totpSecret: admin.totp_secret };
    await putAdmin(tx, vault, { ...secrets, at: app.clock.now(), by: ACTOR });
    // The file is written before the commit. Otherwise, the database could contain a secret that is missing from the
    // file.
    await writePrivateFile(path, `${JSON.stringify(admin, null, 2)}\n`);
    return admin;
  });
}

function works(app: App, { email, password, totp_secret: totpSecret }: LocalAdmin) {
  return isWorkingAdmin(app, { email, password, totpSecret });
}

/** Returns the credentials in the file, or undefined if they are incomplete. A user may have edited the file. */
function readAdmin(text: string | undefined): LocalAdmin | undefined {
  const { password, totp_secret } = parseFields(text);
  if (typeof password !== "string" || typeof totp_secret !== "string") return undefined;
  return { email: EMAIL, password, totp_secret };
}
