import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { commandLineActor } from "../../audit/actors.ts";
import { newTotpSecret, totpUrl } from "../../crypto/totp.ts";
import { AppError } from "../../foundation/errors.ts";
import { type AdminId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import { normalizeEmail } from "../../foundation/text/email-address.ts";
import { openVault } from "../../vault/open-vault.ts";
import { withOperatorTransaction } from "./operators.ts";
import { putAdmin } from "./put-admin.ts";
import { findAdminByEmail } from "./queries.ts";

const PASSWORD_LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 128;
const PASSWORD_BYTES = 18;

export interface CreateAdmin {
  /** A valid email address. It is converted to lowercase. */
  readonly email: string;
  /** A random password is generated if this is undefined. */
  readonly password: string | undefined;
}

/** The credentials of a new admin, shown once. Only the password's hash and the encrypted TOTP secret are stored. */
export interface NewAdmin {
  readonly adminId: AdminId;
  readonly email: string;
  readonly password: string;
  /** Base32-encoded. */
  readonly totpSecret: string;
  readonly totpUrl: string;
}

/**
 * Creates an admin, or re-enables a disabled one with a new password and a new TOTP secret. Only the CLI calls this;
 * there is no API route for it. Throws `already_exists` if an active admin has the email address, and
 * `validation_error` if the password is too short or too long.
 */
export async function createAdmin(
  app: Pick<App, "db" | "clock" | "passwords" | "keyEncryptionKey" | "vaults">,
  command: CreateAdmin,
): Promise<NewAdmin> {
  const email = normalizeEmail(command.email);
  const password = command.password ?? randomBytes(PASSWORD_BYTES).toString("base64url");
  const { length } = [...password.normalize("NFC")];
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const detail = `The password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`;
    throw new AppError("validation_error", { detail });
  }

  const totpSecret = newTotpSecret();
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, OPERATOR_TENANT);
  const adminId = await withOperatorTransaction(app.db, async (tx) => {
    const known = await findAdminByEmail(tx, email);
    if (known !== undefined && known.disabledAt === null) {
      throw new AppError("already_exists", {
        detail: "An active admin has this address. To create new credentials, disable the admin first.",
      });
    }
    const at = app.clock.now();
    return putAdmin(tx, vault, {
      email,
      passwordHash,
      totpSecret,
      at,
      by: commandLineActor(),
    });
  });
  const url = totpUrl({ secret: totpSecret, account: email, issuer: "Purser admin" });
  return { adminId, email, password, totpSecret, totpUrl: url };
}
