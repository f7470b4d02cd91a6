import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import type { Actor } from "@purser/service/audit/append.ts";
import { newTotpSecret } from "@purser/service/crypto/totp.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { OPERATOR_TENANT } from "@purser/service/foundation/ids.ts";
import { isWorkingAdmin, putAdmin } from "@purser/service/modules/admins/index.ts";
import { openVault } from "@purser/service/vault/open-vault.ts";
import { fieldsOf } from "./file-fields.ts";
import { readPrivateFile, writePrivateFile } from "./private-file.ts";

/** The admin that the first start makes, in the words of the wire: this is what `admin.json` holds. */
export interface LocalAdmin {
  readonly email: string;
  readonly password: string;
  /** Base 32. Its codes change every 30 seconds. */
  readonly totp_secret: string;
}

const EMAIL = "admin@purser.local";
const BY: Actor = {
  tenantId: OPERATOR_TENANT,
  mode: "live",
  actor: { type: "system", id: "local-profile", key_id: null, ip: null },
  requestId: null,
};

/**
 * The admin of a data folder, as `admin.json` keeps them. Where the file does not hold what they can sign in with, they get a
 * new password and a new secret, and the file is written; a kill in between is mended by the next start in the same way.
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
    await putAdmin(tx, vault, { ...secrets, at: app.clock.now(), by: BY });
    // Before the commit: what is in the database and in no file could never be shown again.
    await writePrivateFile(path, `${JSON.stringify(admin, null, 2)}\n`);
    return admin;
  });
}

function works(app: App, { email, password, totp_secret: totpSecret }: LocalAdmin) {
  return isWorkingAdmin(app, { email, password, totpSecret });
}

/** What a file that anybody may have edited holds of the admin. */
function readAdmin(text: string | undefined): LocalAdmin | undefined {
  const { password, totp_secret } = fieldsOf(text);
  if (typeof password !== "string" || typeof totp_secret !== "string") return undefined;
  return { email: EMAIL, password, totp_secret };
}
