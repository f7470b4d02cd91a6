import type { Db, Tx } from "../../db/database.ts";
import { isLockTimeout } from "../../db/errors.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Clock } from "../../foundation/clock.ts";
import { AppError } from "../../foundation/errors.ts";
import { isFinal, storeResponse } from "../claim.ts";
import { claimRequest, isClaimWait } from "./queries.ts";
import {
  type Attempt,
  answerOf,
  claimRowOf,
  LOCK_TIMEOUT_MS,
  type MoneyAnswer,
  type MoneyClaim,
  rememberSignature,
  waitForLocks,
} from "./run-money-request.ts";

/**
 * Runs a request that lets money move later, such as an approval. Like `runMoneyRequest`, it accepts a signature only
 * once, and claims the key and the signature in the transaction of the change. `work` writes its own rows, audit entry and
 * event, and uses as many round trips as it needs. It can run more than once, but only one run commits.
 *
 * If `work` throws a final error, its changes are rolled back, and the error is stored as the response. `recordRefusal` can
 * write an audit entry and an event in the transaction that stores it.
 */
export async function runClaimedRequest<Result>(
  app: { readonly db: Db; readonly clock: Clock },
  claim: MoneyClaim<Result>,
  work: (tx: Tx) => Promise<Result>,
  recordRefusal: (tx: Tx, refusal: AppError) => Promise<void> = async () => {},
): Promise<MoneyAnswer> {
  const claimRow = claimRowOf(claim, app.clock.now());
  let isClaimed = false;
  const attempt = (perform: (tx: Tx) => Promise<Result | AppError>) =>
    withTransaction(
      app.db,
      claim.tenantId,
      async (tx): Promise<Attempt<Result>> => {
        isClaimed = false;
        const claimed = await claimRequest(tx, claimRow);
        if (claimed.outcome === "replayed") throw claim.rejectReplay();
        if (claimed.outcome === "taken") return { kind: "taken", record: claimed.record };
        isClaimed = true;
        const outcome = await perform(tx);
        const response = claim.responseOf(outcome);
        if (claim.call !== undefined) await storeResponse(tx, claim.call, response);
        return { kind: "done", outcome, response };
      },
      { lockTimeoutMs: LOCK_TIMEOUT_MS },
    );
  const end = await waitForLocks(() => attempt(work))
    .catch((error: unknown) => {
      if (!isClaimed || !(error instanceof AppError) || !isFinal(error)) throw error;
      return attempt(async (tx) => {
        await recordRefusal(tx, error);
        return error;
      });
    })
    .catch(async (error: unknown) => {
      await rememberSignature(app.db, claim);
      if (!isLockTimeout(error)) throw error;
      if (isClaimWait(error)) throw new AppError("idempotency_in_flight");
      throw new AppError("service_unavailable", { internal: "a lock timed out", cause: error });
    });
  return answerOf(claim, end);
}
