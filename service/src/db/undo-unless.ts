import { sql } from "kysely";
import type { Tx } from "./database.ts";

/**
 * Runs the work in a savepoint, and returns its result. Undoes what the work wrote if `isKept` returns false for the result.
 * The locks that it took are then released.
 */
export async function undoUnless<Result>(
  tx: Tx,
  isKept: (result: Result) => boolean,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`savepoint undo_unless`.execute(tx);
  const result = await work();
  if (!isKept(result)) await sql`rollback to savepoint undo_unless`.execute(tx);
  // The name then means the savepoint of the caller again, if there is one.
  await sql`release savepoint undo_unless`.execute(tx);
  return result;
}
