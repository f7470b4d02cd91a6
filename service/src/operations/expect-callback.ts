import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import { type OperationKey, updateOperationRow } from "./queries.ts";

/** Stores in the operation how long the provider's work typically takes, in seconds. */
export async function expectCallback(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  operation: OperationKey,
  expectedCallbackSeconds: number,
): Promise<void> {
  await updateOperationRow(tx, operation, { expectedCallbackSeconds, updatedAt: clock.now() });
}
