import { redactedCause, rootCauseOf } from "../../foundation/redact.ts";
import { VendorError } from "../../ports/vendor-error.ts";

/** How to mend what each check finds. */
const FIXES = {
  configuration: "Set the variable as .env.example describes it.",
  database: "Check DATABASE_URL, that PostgreSQL runs, and that this machine can reach it.",
  "database clock": "Synchronize the clocks of both machines, for example with chrony.",
  "database version": "Use PostgreSQL 15 or later.",
  "database role": "Log in as a role that owns nothing, is no superuser, and is a member of purser_service only.",
  "database durability": "Set synchronous_commit and fsync to on: otherwise, a crash loses confirmed payments.",
  "database isolation": "Connect to the primary, and set default_transaction_isolation to read committed.",
  "database connections": "Raise max_connections, or lower DATABASE_CONNECTIONS_MAX: all processes together must fit.",
  migrations: "Run the migrations of this version as the owner of the database: service/src/bin/migrate.ts.",
  "database of personal data": "Let PII_DATABASE_URL log in as a member of purser_pii that is no superuser.",
  Redis: "Check REDIS_URL, that Redis runs, and that this machine can reach it.",
  "Redis clock": "Synchronize the clocks of both machines, for example with chrony.",
  "Redis version": "Connect to the master of Redis 7 or later.",
  "Redis eviction": "Set maxmemory-policy to noeviction: a nonce that was evicted could be used again.",
  "Redis persistence":
    "Set appendonly to yes, and look at its disk: otherwise, a restart forgets which nonces were used.",
  "key encryption key":
    "Check PURSER_KEY_ENCRYPTION_KEY, and for AWS KMS the credentials, region and policy of the key.",
  "data keys": "Add the key that is missing to PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS, from its backup.",
  "audit anchor": "Check the file, bucket or network of PURSER_AUDIT_ANCHOR_…: it must have every checkpoint.",
  "audit signature": "Set PURSER_STATEMENT_KEY to the key that signed, or add it to PURSER_STATEMENT_KEYS_RETIRED.",
  "audit anchoring": "Start a worker, and look in its log for errors about the audit anchor.",
};

/** What one check of the doctor has found. */
export interface Check {
  readonly check: string;
  readonly status: "ok" | "warning" | "fault";
  readonly detail: string;
  /** How to mend it. Empty if the status is `ok`. */
  readonly fix: string;
}

/** The name of a check, and how to mend what it finds. */
type Subject = keyof typeof FIXES | readonly [check: string, fix: string];

/** @param isRight `false` makes a fault, `"warning"` a warning */
export function found(subject: Subject, isRight: boolean | "warning", detail: string): Check {
  const [check, fix] = typeof subject === "string" ? [subject, FIXES[subject]] : subject;
  return isRight === true
    ? { check, status: "ok", detail, fix: "" }
    : { check, status: isRight || "fault", detail, fix };
}

/** Makes checks that can throw. An error is a fault, so that the other checks go on. */
export async function attempt(subject: Subject, work: () => Promise<Check | Check[]>): Promise<Check[]> {
  try {
    return [await work()].flat();
  } catch (error) {
    return [found(subject, false, reasonOf(error))];
  }
}

/** Returns what happened first, for example `connect ECONNREFUSED 127.0.0.1:5432`, without credentials. */
function reasonOf(error: unknown): string {
  const cause = rootCauseOf(error);
  if (cause instanceof VendorError) return [cause.message, cause.vendorMessage].filter(Boolean).join(": ");
  return redactedCause(cause);
}
