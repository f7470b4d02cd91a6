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

/** Class 08 is a broken connection; 57P01 to 57P05 a server that stops or starts; 53xxx one without room; 57014 a cancelled statement. */
const UNAVAILABLE_STATES = /^(08...|57P0.|53...|57014)$/;

/** The driver's own errors have no code, only these words. */
const DRIVER_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Cannot use a pool after calling end|driver has already been destroyed/;

/** Whether the database could not answer, as opposed to having refused what was asked. */
function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : "";
  return (
    SOCKET_CODES.has(code) || UNAVAILABLE_STATES.test(code) || DRIVER_WORDS.test(thrown.message)
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

/** A database that cannot answer becomes the 503 that says so; whatever else was thrown stays as it is. */
export function asUnavailable(thrown: unknown): unknown {
  if (!isDatabaseUnavailable(thrown)) return thrown;
  return new AppError("service_unavailable", {
    internal: "the database cannot answer",
    cause: thrown,
  });
}
