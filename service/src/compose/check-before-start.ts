import type { App } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import { readDatabaseFacts } from "../modules/health/queries.ts";
import { checkKeyEncryptionKey } from "./doctor/check-keys.ts";

/**
 * Refuses to start in production with a login that row-level security does not bind, or with a key encryption key that does
 * not decrypt the data keys. Otherwise, a rolling update would replace good processes by ones that answer 503.
 *
 * @throws ConfigError that names the variables
 */
export async function checkBeforeStart(app: App, { profile }: Pick<Config, "profile">): Promise<void> {
  if (profile !== "production") return;
  const { role, isPrivileged, isOwner } = await readDatabaseFacts(app.db);
  const isUnbound = isPrivileged || isOwner;
  const broken = (await checkKeyEncryptionKey(app)).filter(({ status }) => status === "fault");
  const problems = [
    ...(isUnbound
      ? [`DATABASE_URL logs in as ${role}, a superuser or the owner. Use a member of purser_service.`]
      : []),
    ...broken.map(({ check, detail, fix }) => `PURSER_KEY_ENCRYPTION_KEY: ${check}: ${detail}. ${fix}`),
  ];
  if (problems.length > 0) throw new ConfigError(problems);
}
