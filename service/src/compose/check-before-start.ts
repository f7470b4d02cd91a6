import type { App } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import type { Db } from "../db/database.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { readDatabaseFacts } from "../modules/health/queries.ts";
import { VendorError } from "../ports/vendor-error.ts";
import { listKeysInUse } from "../vault/queries.ts";
import { unwrapDataKey } from "./doctor/check-keys.ts";

/**
 * Refuses to start in production with a login that row-level security does not bind, or with a key encryption key that does
 * not decrypt the data keys. Otherwise, a rolling update would replace good processes by ones that answer 503.
 *
 * @throws ConfigError that names the variables, or the error of a database that is down or not migrated
 */
export async function checkBeforeStart(app: App, { profile }: Pick<Config, "profile">): Promise<void> {
  if (profile !== "production") return;
  const databases = [
    ["DATABASE_URL", app.db] as const,
    ...(app.piiDb ? [["PII_DATABASE_URL", app.piiDb] as const] : []),
  ];
  const problems: string[] = [];
  for (const [name, db] of databases) {
    const { role, isPrivileged, isOwner } = await readDatabaseFacts(db);
    if (isPrivileged || isOwner)
      problems.push(`${name} logs in as ${role}, a superuser or the owner. Use another role.`);
    problems.push(...(await keyProblems(app, db)));
  }
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Decrypts one data key of each key encryption key that is in use. A KMS that is down does not prevent the start. */
async function keyProblems({ keyEncryptionKey: key, log }: App, db: Db): Promise<string[]> {
  const problems: string[] = [];
  for (const wrapping of await listKeysInUse(db)) {
    const { keyEncryptionKeyId: id } = wrapping;
    await unwrapDataKey(key, db, wrapping).catch((error: unknown) => {
      if (error instanceof AppError) throw error;
      const reason = redactedMessage(error);
      if (error instanceof VendorError) return log.error({ id, reason }, "could not try the key encryption key");
      problems.push(`PURSER_KEY_ENCRYPTION_KEY decrypts no data key of ${id}: ${reason}. Add the key that is missing.`);
    });
  }
  return problems;
}
