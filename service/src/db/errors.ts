import { AppError } from "../foundation/errors.ts";

/** Node's error codes for sockets that break or cannot be opened. */
const SOCKET_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENOENT",
  "EAI_AGAIN",
]);

/**
 * SQLSTATE codes. Class 08: broken connection. 57P01 to 57P05: the server is stopping or starting. Class 53:
 * insufficient resources. 57014: cancelled statement. 25P03: idle transaction timeout. 25006: the server has become a
 * standby.
 */
const UNAVAILABLE_STATES = /^(08...|57P0.|53...|57014|25P03|25006)$/;

/**
 * Messages of errors that have no specific code. The last is PostgreSQL's error for a statement that was prepared
 * before a migration changed its columns. All others are errors of the driver.
 */
const UNAVAILABLE_MESSAGES =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|driver has already been destroyed|cached plan must not change result type/;

/** Returns true if the database could not be reached or did not respond, as opposed to an error in the statement. */
function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = codeOf(thrown);
  return SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code) || UNAVAILABLE_MESSAGES.test(thrown.message);
}

/** Returns the error's code: a SQLSTATE, or a code of Node. Empty if it has none. */
function codeOf(thrown: unknown): string {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
}

/** Returns true if PostgreSQL rejected a row because it violates this unique constraint. */
export function isUniqueViolation(thrown: unknown, constraint: string): boolean {
  return codeOf(thrown) === "23505" && Reflect.get(Object(thrown), "constraint") === constraint;
}

/** Returns true if PostgreSQL rejected a change because it violates a foreign key. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  return codeOf(thrown) === "23503";
}

/** Returns true if a statement waited for a lock for longer than the `lockTimeoutMs` of its transaction. */
export function isLockTimeout(thrown: unknown): boolean {
  return codeOf(thrown) === "55P03";
}

/**
 * Returns true if a function of the database could not do its work in a single statement, because it has to be refused or
 * something else must be written about it.
 */
export function needsMoreStatements(thrown: unknown): boolean {
  return codeOf(thrown) === "PR001";
}

/** Returns true if a function of the database found that the facts which the caller knew are not current. */
export function hasOutdatedFacts(thrown: unknown): boolean {
  return codeOf(thrown) === "PR002";
}

/** Thrown if a transaction of two round trips is not enough, as `needsMoreStatements` tests. */
export class MoreStatementsNeeded extends Error {
  readonly code = "PR001";
}

/**
 * Converts an error caused by an unavailable database to `service_unavailable`, and one caused by NUL in a text or in JSON
 * to `validation_error`. Schemas reject NUL in most fields, but not in text such as a claim of a token. Returns any other
 * error unchanged.
 */
export function asAppError(thrown: unknown): unknown {
  if (/^(22021|22P05)$/.test(codeOf(thrown))) {
    const detail = "The request contains the character NUL (U+0000), which cannot be stored.";
    return new AppError("validation_error", { detail, cause: thrown });
  }
  if (!isDatabaseUnavailable(thrown)) return thrown;
  return new AppError("service_unavailable", {
    internal: "the database is unavailable",
    cause: thrown,
  });
}

/**
 * Converts a commit's error as `asAppError` does. The new error says that the change may have been saved: the server
 * may have committed although its response was not received.
 */
export function asUnknownOutcome(thrown: unknown): unknown {
  if (!isDatabaseUnavailable(thrown)) return thrown;
  return new AppError("service_unavailable", {
    internal: "the database did not respond to a commit",
    detail:
      "Purser is temporarily unavailable. The change may or may not have been saved. Read the object, or repeat the request with the same Idempotency-Key.",
    cause: thrown,
  });
}
