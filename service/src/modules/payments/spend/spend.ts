import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { NO_MAXIMUM } from "../../../budgets/budget.ts";
import { type BudgetRefusal, existingLineOf, lineOf, reserveOutcomeOf } from "../../../budgets/reserve-budgets.ts";
import type { Tx } from "../../../db/database.ts";
import { undoUnless } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type LedgerAccountId, type LedgerTransferId, newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { formatTokenAmount, formatUsdMicros, type TokenAmount, usdMicrosOfTokens } from "../../../foundation/money.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { DECIDE_AGAIN, type MoveWithNextStatement } from "../../../idempotency/money/run-money-request.ts";
import type { MoveRefusal } from "../../../ledger/move-money.ts";
import { openMonths } from "../../charges/open-months.ts";
import { limitRefusal, type PolicyLimit } from "../../policies/policy-limits.ts";
import { policyRevisionRows } from "../../policies/queries.ts";
import { capExceeded, projectCap, recordCapAlerts, recordCapBlocked } from "../../projects/caps.ts";
import { lockProject, type ProjectKey } from "../../projects/queries.ts";
import { callSpend, type SpendParameters, type SpendRow, spendWithNext } from "./queries.ts";

/** `lines` of an amount that is reserved in no budget. */
const NO_BUDGETS = "[]";

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
  /**
   * What happens if the amount exceeds the cap. With `ask`, the refusal is not reported as blocked, because the caller asks
   * a person. With `exceed`, a person has agreed. Default: `block`.
   */
  readonly aboveCap?: "block" | "ask" | "exceed";
  /** Whether all budgets exist. If one does not, the spending needs more statements. Default: no. */
  readonly budgetsExist?: boolean;
  /** What the agent's policies decided. Undefined without an agent. */
  readonly decision?: { readonly limits: readonly PolicyLimit[]; readonly revision: bigint } | undefined;
}

export interface Spent {
  readonly transferId: LedgerTransferId;
  /** Undefined if the amount was reserved in no budget. */
  readonly reservationId: string | undefined;
}

/**
 * Returns a spending that reserves an amount under the project's cap and moves it in the ledger, in one statement that does
 * both or neither. The statement is sent with the transaction's next one. This fails with an error for which
 * `needsMoreStatements` returns true if `spend` would write more than this statement. The caller then calls `spend` in a
 * new transaction.
 *
 * The caller also sends a statement that fails unless what the decision is based on is current, such as
 * `requireRevisionWithNext`. It sends it afterwards, because policies can change while this statement waits for a lock.
 */
export function spendWithNextStatement({ clock }: Pick<App, "clock">, command: Spend): MoveWithNextStatement<Spent> {
  const at = clock.now();
  const { parameters } = parametersOf(command, { at, reservedAt: at });
  return {
    result: spentOf(parameters),
    send: async (tx) => void (await spendWithNext(tx, parameters)),
  };
}

/**
 * Reserves an amount under the project's cap and moves it in the ledger, in one statement that does both or neither.
 * Writes the events about the cap with further statements, if there are any, and opens the project's month if it is not
 * open.
 *
 * Returns `DECIDE_AGAIN` if policies have changed since the decision, and throws `version_conflict` if they have changed while
 * the statement waited for a lock. Returns a refusal, which the caller commits with the events. The cap is checked before the
 * balance. The caller has checked before whether the wallet is frozen or its agent stopped; a refusal for these reasons means
 * that this has changed since.
 */
export async function spend(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  command: Spend,
): Promise<Spent | AppError | typeof DECIDE_AGAIN> {
  const at = app.clock.now();
  if (await isOutdated(tx, actor, command)) return DECIDE_AGAIN;
  const attempt = await spendOnce(tx, command, { at, reservedAt: at });
  const { project } = command;
  if (project === undefined || attempt.row.reserved?.outcome !== "not_opened") {
    return concludeIfCurrent(tx, actor, { command, at, attempt });
  }
  const reservedAt = await openMonths(tx, app, actor, await lockProject(tx, project));
  const second = await spendOnce(tx, command, { at, reservedAt });
  return concludeIfCurrent(tx, actor, { command, at, attempt: second });
}

/**
 * Returns what refuses a spending about which a person is to be asked, or undefined. A cap that asks does not refuse. Reserves
 * and moves nothing.
 */
export async function refusalOfSpend(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { aboveCap, ...command }: Spend,
): Promise<AppError | typeof DECIDE_AGAIN | undefined> {
  const asked: Spend = {
    ...command,
    aboveCap: aboveCap === "ask" ? "exceed" : (aboveCap ?? "block"),
  };
  return undoUnless(
    tx,
    (refusal) => refusal !== undefined,
    async () => {
      const outcome = await spend(tx, app, actor, asked);
      return outcome instanceof AppError || typeof outcome === "symbol" ? outcome : undefined;
    },
  );
}

/** Like `conclude`. Throws `version_conflict` if policies have changed while the amount waited for a lock. */
async function concludeIfCurrent(tx: Tx, actor: Actor, concluded: Concluded): Promise<Spent | AppError> {
  const outcome = await conclude(tx, actor, concluded);
  if (outcome instanceof AppError || !(await isOutdated(tx, actor, concluded.command))) {
    return outcome;
  }
  throw new AppError("version_conflict", {
    detail: "The agent's policies changed while the amount was spent. Repeat the request.",
  });
}

/** Returns true if policies have changed since they decided. */
async function isOutdated(tx: Tx, actor: Actor, { mode, decision }: Spend): Promise<boolean> {
  if (decision === undefined) return false;
  const stored = await policyRevisionRows.find(tx, { tenantId: actor.tenantId, mode });
  return (stored?.revision ?? 0n) !== decision.revision;
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
  {
    mode,
    cause,
    amount,
    kind,
    debitAccountId,
    creditAccountId,
    project,
    aboveCap,
    budgetsExist = false,
    decision,
  }: Spend,
  times: Times,
) {
  const amountMicros = usdMicrosOfTokens(amount);
  invariant(amountMicros !== undefined, "budgets count stablecoins of US dollars");
  const cap = project === undefined ? undefined : projectCap(project);
  const caps = cap === undefined ? [] : [aboveCap === "exceed" ? { ...cap, maxMicros: NO_MAXIMUM } : cap];
  const budgets = [...(decision?.limits ?? []), ...caps];
  const parameters: SpendParameters = {
    ...times,
    mode,
    causeType: cause.type,
    causeId: cause.id,
    reservationId: newId("rsv"),
    amountMicros,
    lines: JSON.stringify(budgets.map(budgetsExist ? existingLineOf : lineOf)),
    kind,
    transferId: newId("ltr"),
    ...amount,
    debitAccountId,
    creditAccountId,
  };
  return { parameters, budgets };
}

function spentOf({ transferId, reservationId, lines }: SpendParameters): Spent {
  return { transferId, reservationId: lines === NO_BUDGETS ? undefined : reservationId };
}

interface Concluded {
  readonly command: Spend;
  readonly at: Date;
  readonly attempt: Attempt;
}

/** Writes the events about the cap. Returns the result or the refusal. */
async function conclude(tx: Tx, actor: Actor, concluded: Concluded): Promise<Spent | AppError> {
  const {
    command: { amount, project },
    at,
    attempt: { row, parameters, budgets },
  } = concluded;
  const { reserved, moved } = row;
  const outcome = reserved === null ? undefined : reserveOutcomeOf(reserved, budgets);
  invariant(outcome?.outcome !== "not_opened", "the month has just been opened");
  if (outcome?.outcome === "refused") return budgetRefusal(tx, actor, concluded, outcome);
  invariant(moved !== undefined, "what is reserved is moved or refused");
  if (moved.outcome !== "done") {
    const available = moved.available === null ? null : { ...amount, baseUnits: BigInt(moved.available) };
    return moveRefusal({ outcome: moved.outcome, available }, amount);
  }
  if (outcome !== undefined && project !== undefined) {
    await recordCapAlerts(tx, actor, project, { alerts: outcome.alerts, at });
  }
  return spentOf(parameters);
}

/** Returns the error for an amount that exceeds a policy's limit or the project's cap. Writes the event about the cap. */
async function budgetRefusal(
  tx: Tx,
  actor: Actor,
  { command: { cause, project, aboveCap, decision }, at, attempt }: Concluded,
  refusal: BudgetRefusal,
): Promise<AppError> {
  const exceeded = limitRefusal(decision?.limits ?? [], refusal);
  if (exceeded !== undefined) return exceeded;
  invariant(project !== undefined, "without a project, only limits refuse");
  const { amountMicros } = attempt.parameters;
  if (aboveCap !== "ask") {
    await recordCapBlocked(tx, actor, project, { refusal, amountMicros, cause, at });
  }
  const advice = `The amount is ${formatUsdMicros(amountMicros)} USD. Raise the cap, or spend less.`;
  return capExceeded(refusal, advice);
}

/** Returns the error for a move that the ledger refuses. Any other refusal is a bug. */
export function moveRefusal(
  { outcome, available }: Pick<MoveRefusal, "outcome" | "available">,
  amount: TokenAmount,
): AppError {
  if (outcome === "wallet_frozen") return new AppError("wallet_frozen");
  if (outcome === "agent_stopped") return new AppError("agent_suspended");
  invariant(outcome === "insufficient_funds" && available !== null, `the ledger refused a valid move: ${outcome}`);
  const decision = { available: formatTokenAmount(available), required: formatTokenAmount(amount) };
  const detail = `The available balance is ${decision.available} ${amount.asset.toUpperCase()}, and ${decision.required} are required. Add funds, or send less.`;
  return new AppError("insufficient_funds", { detail, decision });
}
