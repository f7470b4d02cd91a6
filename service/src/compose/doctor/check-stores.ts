import { inspectRedis } from "../../adapters/fast-state/inspect-redis.ts";
import type { App } from "../../app.ts";
import { parseSentinelUrl } from "../../config/redis-url.ts";
import type { Config } from "../../config.ts";
import { systemClock } from "../../foundation/clock.ts";
import { measureSkewMs, SKEW_ALARM_MS, SKEW_REFUSAL_MS } from "../../modules/health/health.ts";
import {
  type DatabaseFacts,
  listMissingMigrations,
  readDatabaseFacts,
  readDatabaseTime,
} from "../../modules/health/queries.ts";
import { attempt, type Check, found } from "./check.ts";

const REDIS_TIMEOUT_MS = 2_000;

/** Checks the database's settings, its migrations and its clock. A database that is down is one fault. */
export async function checkDatabase({ db, piiDb }: Pick<App, "db" | "piiDb">, config: Config): Promise<Check[]> {
  const settings = await attempt("database", async () => [
    await checkClock("database clock", () => readDatabaseTime(db)),
    ...checkFacts(await readDatabaseFacts(db), config),
    ...(await attempt("migrations", async () => checkMigrations(await listMissingMigrations(db)))),
  ]);
  if (piiDb === null) return settings;
  const personal = await attempt("database of personal data", async () => {
    const { role, roles, isPrivileged } = await readDatabaseFacts(piiDb);
    return found("database of personal data", roles.includes("purser_pii") && !isPrivileged, role);
  });
  return [...settings, ...personal];
}

async function checkClock(check: "database clock" | "Redis clock", readClock: () => Promise<Date>): Promise<Check> {
  const skewMs = await measureSkewMs(readClock, systemClock.now);
  const isRight = skewMs < SKEW_ALARM_MS || (skewMs < SKEW_REFUSAL_MS && "warning");
  return found(check, isRight, `differs by ${skewMs} ms`);
}

function checkMigrations(missing: readonly string[]): Check {
  return found("migrations", missing.length === 0, `${missing.join(", ") || "none"} missing`);
}

function checkFacts(facts: DatabaseFacts, config: Config): Check[] {
  const { version, versionNumber, synchronousCommit, fsync, isolation, isReadOnly, role, roles } = facts;
  const wrong = [
    ...(facts.isPrivileged ? ["is a superuser or exempt from row-level security"] : []),
    ...(facts.isOwner ? ["owns the database or a table"] : []),
    ...(roles.includes("purser_service") ? [] : ["is no member of purser_service"]),
    ...(roles.includes("purser_pii") ? ["is a member of purser_pii"] : []),
  ];
  const { requests, authentication, jobs } = config.databaseConnectionsMax;
  const each = requests + authentication + jobs + config.workflowConnectionsMax + (config.piiDatabaseUrl ? 4 : 0);
  // While a new version replaces an old one, at least two processes run.
  const fits = 2 * each <= facts.connectionsMax || (each <= facts.connectionsMax && "warning");
  const isDurable = synchronousCommit !== "off" && fsync === "on";
  const isPrimary = isolation === "read committed" && !isReadOnly;
  return [
    found("database version", versionNumber >= 150_000, `PostgreSQL ${version}`),
    found("database role", wrong.length === 0, [role, ...wrong].join(", ")),
    found("database durability", isDurable, `synchronous_commit ${synchronousCommit}, fsync ${fsync}`),
    found("database isolation", isPrimary, `${isolation}${isReadOnly ? ", read-only" : ""}`),
    found("database connections", fits, `up to ${each} for each process, ${facts.connectionsMax} for all`),
  ];
}

/** Checks the settings and the clock of Redis. */
export async function checkFastState({ redisUrl: url }: Config): Promise<Check[]> {
  if (url === null) return [found("Redis", true, "not configured: only one process can run")];
  return attempt("Redis", () =>
    inspectRedis(
      { url, sentinel: parseSentinelUrl(url), timeoutMs: REDIS_TIMEOUT_MS },
      async ({ readInfo, readTime }) => [await checkClock("Redis clock", readTime), ...checkInfo(await readInfo())],
    ),
  );
}

function checkInfo(info: ReadonlyMap<string, string>): Check[] {
  const of = (name: string) => info.get(name) ?? "unknown";
  const [version, role, policy] = [of("redis_version"), of("role"), of("maxmemory_policy")];
  const [isAppended, lastWrite] = [of("aof_enabled") === "1", of("aof_last_write_status")];
  // After a failed write to its disk, Redis refuses writes.
  const isPersistent = lastWrite !== "err" && (isAppended || "warning");
  return [
    found("Redis version", Number.parseInt(version, 10) >= 7 && role === "master", `Redis ${version}, ${role}`),
    found("Redis eviction", policy === "noeviction", `maxmemory-policy ${policy}`),
    found("Redis persistence", isPersistent, `appendonly ${isAppended ? `yes, last write ${lastWrite}` : "no"}`),
  ];
}
