import { randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import { commandLineActor } from "../../audit/actors.ts";
import { newTotpSecret, totpUrl } from "../../crypto/totp.ts";
import { AppError } from "../../foundation/errors.ts";
import { type AdminId, OPERATOR_TENANT } from "../../foundation/ids.ts";
import { openVault } from "../../vault/open-vault.ts";
import { asOperators } from "./operators.ts";
import { putAdmin } from "./put-admin.ts";
import { findAdminByEmail } from "./queries.ts";

const PASSWORD_LENGTH_MIN = 15;
const PASSWORD_LENGTH_MAX = 128;
const PASSWORD_BYTES = 18;

export interface CreateAdmin {
  /** In the form of an address; its case does not matter. */
  readonly email: string;
  /** Not given: one is made. */
  readonly password: string | undefined;
}

/** What a new admin signs in with. Shown once: of the password a hash is kept, and the secret under seal. */
export interface NewAdmin {
  readonly adminId: AdminId;
  readonly email: string;
  readonly password: string;
  /** Base 32. */
  readonly totpSecret: string;
  readonly totpUrl: string;
}

/**
 * Makes an admin, from the machine's own command line: nobody becomes one over the network. An admin who was disabled comes
 * back with a new password and a new secret. Throws `already_exists` for an address whose admin may sign in, and
 * `validation_error` for a password that is too short or too long.
 */
export async function createAdmin(
  app: Pick<App, "db" | "clock" | "passwords" | "keyEncryptionKey" | "vaults">,
  command: CreateAdmin,
): Promise<NewAdmin> {
  const email = command.email.toLowerCase();
  const password = command.password ?? randomBytes(PASSWORD_BYTES).toString("base64url");
  const { length } = [...password.normalize("NFC")];
  if (length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX) {
    const detail = `An admin's password has ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters.`;
    throw new AppError("validation_error", { detail });
  }

  const totpSecret = newTotpSecret();
  const passwordHash = await app.passwords.hash(password);
  const vault = await openVault(app, OPERATOR_TENANT);
  const adminId = await asOperators(app.db, async (tx) => {
    const known = await findAdminByEmail(tx, email);
    if (known !== undefined && known.disabledAt === null) {
      throw new AppError("already_exists", {
        detail: "This address is an admin's already. Disable them first, to give them new secrets.",
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
