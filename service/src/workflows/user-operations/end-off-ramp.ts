import type { Tx } from "../../db/database.ts";
import type { PaymentFailure } from "../../db/schema.ts";
import { scheduleWork } from "../../due-work/due-work.ts";
import type { UserOperationOutcome } from "../../foundation/vocabulary.ts";
import { ADVANCE_CONVERSION } from "../../modules/fiat/conversions/advance-work.ts";
import type { Conversion } from "../../modules/fiat/conversions/queries.ts";
import { postHold, settleConversion } from "../../modules/fiat/conversions/settle-conversion.ts";
import type { OperationEvent } from "../../ports/evm-network.ts";

interface EndOffRamp {
  readonly outcome: UserOperationOutcome;
  /** The event in a final block. Null if the operation is in none. */
  readonly event: OperationEvent | null;
  /** Why the tokens were not sent. Null if they were. */
  readonly failure: PaymentFailure | null;
  readonly at: Date;
}

/**
 * Posts the hold of an off-ramp whose tokens were sent. Ends one whose tokens can never be: it has failed, or was canceled by a freeze.
 * Lets the ramp vendor be asked at once, which also deletes the transfer of one that has ended. The caller has locked the conversion.
 */
export async function endOffRamp(
  tx: Tx,
  conversion: Conversion,
  { outcome, event, failure, at }: EndOffRamp,
): Promise<void> {
  const { tenantId, conversionId, status } = conversion;
  if (outcome === "confirmed" && event !== null) {
    const posted = await postHold(tx, conversion, at, { ignoresFreeze: true });
    const trace = { achTraceNumber: null, imad: null, ...conversion.trace, txHash: event.transactionHash };
    await settleConversion(tx, conversion, { to: status, at, columns: { ...posted, trace } });
  } else {
    const isStopped = outcome === "not_sent" && failure?.code === "frozen";
    await settleConversion(tx, conversion, { to: isStopped ? "canceled" : "failed", failure, at });
  }
  await scheduleWork(tx, ADVANCE_CONVERSION, { tenantId, subject: conversionId, dueAt: at });
}
