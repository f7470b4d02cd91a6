import type { Compilable } from "kysely";
import type { Tx } from "./database.ts";
import { WITH_NEXT } from "./round-trips.ts";

/** Sends a statement with the transaction's next one, or with its commit. See `WITH_NEXT`. */
export async function sendWithNext(tx: Tx, query: Compilable): Promise<void> {
  const compiled = query.compile();
  await tx.executeQuery({ ...compiled, sql: WITH_NEXT + compiled.sql });
}
