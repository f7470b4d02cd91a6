import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { lineOf, reserveOutcomeOf } from "../../budgets/reserve-budgets.ts";
import type { Tx } from "../../db/database.ts";
import { AppError } from "../../foundation/errors.ts";
import { type LedgerAccountId, type LedgerTransferId, newId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import {
  formatTokenAmount,
  type TokenAmount,
  usdMicrosOfTokens,
} from "../../foundation/money/token-amount.ts";
import { formatUsdMicros } from "../../foundation/money/usd-micros.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import {
  capExceeded,
  lockProject,
  openMonths,
  type ProjectKey,
  projectCap,
  recordCapAlerts,
  recordCapBlocked,
} from "../../modules/projects/index.ts";
import { callSpend, type SpendParameters, type SpendRow, spendWithNext } from "./queries.ts";

export interface Spend {
  readonly mode: Mode;
  /** What the amount is spent for, for example a payment. */
  readonly cause: { readonly type: string; readonly id: string };
  /** An amount of a stablecoin of US dollars. */
  readonly amount: TokenAmount;
  /** A `direct` move is final. A `hold` and its reservation remain until they are resolved. */
  readonly kind: "direct" | "hold";
  readonly debitAccountId: LedgerAccountId;
  readonly creditAccountId: LedgerAccountId;
  /** The project whose monthly cap applies, if one does. The caller has checked that it is in place. */
  readonly project: ProjectKey | undefined;
}

export interface Spent {
  readonly transferId: LedgerTransferId;
  /** Undefined without a project. */
  readonly reservationId: string | undefined;
}

/**
 * Reserves an amount under the project's cap and moves it in the ledger, in one statement that does both or neither. The
 * statement is sent with the transaction's next one. This fails with an error for which `needsMoreStatements` returns
 * true if `spend` would write more than this statement. The caller then calls `spend` in a new transaction.
 */
export async function spendWithNextStatement(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  command: Spend,
): Promise<Spent> {
  const at = clock.now();
  const { parameters } = parametersOf(command, { at, reservedAt: at });
  await spendWithNext(tx, parameters);
  return spentOf(parameters, command);
}

/**
 * Reserves an amount under the project's cap and moves it in the ledger, in one statement that does both or neither.
 * Writes the events about the cap with further statements, if there are any, and opens the project's month if it is not
 * open.
 *
 * Returns a refusal, which the caller commits with the events. The cap is checked before the balance. The caller has
 * checked before whether the wallet is frozen or its agent stopped; a refusal for these reasons means that this has
 * changed since.
 */
export async function spend(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  command: Spend,
): Promise<Spent | AppError> {
  const at = app.clock.now();
  const attempt = await spendOnce(tx, command, { at, reservedAt: at });
  const { project } = command;
  if (project === undefined || attempt.row.reserved?.outcome !== "not_opened") {
    return conclude(tx, actor, { command, at, attempt });
  }
  const reservedAt = await openMonths(tx, app, actor, await lockProject(tx, project));
  const second = await spendOnce(tx, command, { at, reservedAt });
  return conclude(tx, actor, { command, at, attempt: second });
}

type Attempt = Awaited<ReturnType<typeof spendOnce>>;

async function spendOnce(tx: Tx, command: Spend, times: Times) {
  const call = parametersOf(command, times);
  const row: SpendRow = await callSpend(tx, call.parameters);
  return { row, ...call };
}

interface Times {
  readonly at: Date;
  /** Selects the month. */
  readonly reservedAt: Date;
}

function parametersOf(
  { mode, cause, amount, kind, debitAccountId, creditAccountId, project }: Spend,
  times: Times,
) {
  const amountMicros = usdMicrosOfTokens(amount);
  invariant(amountMicros !== undefined, "budgets count stablecoins of US dollars");
  const budgets = project === undefined ? [] : [projectCap(project)];
  const parameters: SpendParameters = {
    ...times,
    mode,
    causeType: cause.type,
    causeId: cause.id,
    reservationId: newId("rsv"),
    amountMicros,
    lines: JSON.stringify(budgets.map(lineOf)),
    kind,
    transferId: newId("ltr"),
    ...amount,
    debitAccountId,
    creditAccountId,
  };
  return { parameters, budgets };
}

function spentOf({ transferId, reservationId }: SpendParameters, { project }: Spend): Spent {
  return { transferId, reservationId: project === undefined ? undefined : reservationId };
}

/** Writes the events about the cap. Returns the result or the refusal. */
async function conclude(
  tx: Tx,
  actor: Actor,
  {
    command,
    at,
    attempt: { row, parameters, budgets },
  }: { readonly command: Spend; readonly at: Date; readonly attempt: Attempt },
): Promise<Spent | AppError> {
  const { amount, cause, project } = command;
  const { amountMicros } = parameters;
  const { reserved, moved } = row;
  if (project !== undefined && reserved !== null) {
    const outcome = reserveOutcomeOf(reserved, budgets);
    invariant(outcome.outcome !== "not_opened", "the month has just been opened");
    if (outcome.outcome === "refused") {
      await recordCapBlocked(tx, actor, project, { refusal: outcome, amountMicros, cause, at });
      const advice = `The amount is ${formatUsdMicros(amountMicros)} USD. Raise the cap, or spend less.`;
      return capExceeded(outcome, advice);
    }
    if (moved?.outcome === "done") {
      await recordCapAlerts(tx, actor, project, { alerts: outcome.alerts, at });
    }
  }
  invariant(moved !== undefined, "what is reserved is moved or refused");
  return moved.outcome === "done" ? spentOf(parameters, command) : refusalOf(moved, amount);
}

function refusalOf(
  { outcome, available }: NonNullable<SpendRow["moved"]>,
  amount: TokenAmount,
): AppError {
  if (outcome === "wallet_frozen") return new AppError("wallet_frozen");
  if (outcome === "agent_stopped") return new AppError("agent_suspended");
  invariant(
    outcome === "insufficient_funds" && available !== null,
    `the move is valid: ${outcome}`,
  );
  const decision = {
    available: formatTokenAmount({ ...amount, baseUnits: BigInt(available) }),
    required: formatTokenAmount(amount),
  };
  return new AppError("insufficient_funds", { decision });
}
