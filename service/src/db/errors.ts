import { AppError } from "../foundation/errors.ts";

/** What Node says when a socket cannot be opened or breaks. */
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
 * Class 08 is a broken connection; 57P01 to 57P05 a server that stops or starts; 53xxx one without room; 57014 a cancelled
 * statement; 25P03 a transaction that stood still for too long; 25006 a server that has become a standby.
 */
const UNAVAILABLE_STATES = /^(08...|57P0.|53...|57014|25P03|25006)$/;

/** The driver's own errors have no code, only these words. The last are the server's, of a statement that was prepared before a migration. */
const OUTAGE_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|driver has already been destroyed|cached plan must not change result type/;

/** Whether the database could not answer, as opposed to having refused what was asked. */
function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return (
    SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code) || OUTAGE_WORDS.test(thrown.message)
  );
}

/** Whether Postgres refused a row because one with these values exists already. */
export function isUniqueViolation(thrown: unknown, constraint: string): boolean {
  return (
    thrown instanceof Error &&
    "code" in thrown &&
    thrown.code === "23505" &&
    "constraint" in thrown &&
    thrown.constraint === constraint
  );
}

/** Whether Postgres refused to delete a row, or to write one, since another would be left without what it refers to. */
export function isForeignKeyViolation(thrown: unknown): boolean {
  return thrown instanceof Error && "code" in thrown && thrown.code === "23503";
}

/** A database that cannot answer becomes the 503 that says so; whatever else was thrown stays as it is. */
export function asUnavailable(thrown: unknown): unknown {
  if (!isDatabaseUnavailable(thrown)) return thrown;
  return new AppError("service_unavailable", {
    internal: "the database cannot answer",
    cause: thrown,
  });
}

/** As above, for a commit: its answer was lost, and it may have taken effect all the same. */
export function asUnknownOutcome(thrown: unknown): unknown {
  if (!isDatabaseUnavailable(thrown)) return thrown;
  return new AppError("service_unavailable", {
    internal: "the database did not answer a commit",
    detail:
      "A part of the service stopped answering, and this may have been done or not. Look, or repeat it with the same Idempotency-Key.",
    cause: thrown,
  });
}
