import type { App } from "../../../../app.ts";
import type { Tx } from "../../../../db/database.ts";
import type { OperationKey } from "../../../../operations/queries.ts";
import { passStep } from "../../../../operations/track-operation.ts";
import { type Addition, loadAddition } from "./addition.ts";
import { refusalOf, type StepVerdict } from "./verdict.ts";

/** Begins the saga with what it is about, and passes the gate where `check` does not refuse. */
export async function passGate(
  tx: Tx,
  app: Pick<App, "clock">,
  key: OperationKey,
  check: (addition: Addition) => Promise<void>,
): Promise<StepVerdict & { readonly addition: Addition }> {
  const addition = await loadAddition(tx, key);
  const refused = await refusalOf(() => check(addition));
  if (refused === null) await passStep(tx, app, key, { step: "kya_gate", next: "policy" });
  return { addition, refused };
}
