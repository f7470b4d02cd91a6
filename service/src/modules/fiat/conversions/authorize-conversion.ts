import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { type TokenAmount, usdMicrosFromCents } from "../../../foundation/money.ts";
import { openAccounts } from "../../../ledger/accounts.ts";
import type { DecidedOperation } from "../../decisions/decide-operation.ts";
import { decideInTransaction } from "../../decisions/decisions.ts";
import { policyDecisionRows } from "../../decisions/queries.ts";
import { spend } from "../../payments/spend/spend.ts";
import { limitRefusal, reserveLimits } from "../../policies/policy-limits.ts";
import { type ConversionPlan, requireFeeBelow } from "./plan-conversion.ts";
import type { Conversion } from "./queries.ts";

const BASE_UNITS_PER_CENT = 10_000n;

/** Returns the tokens of an amount in cents, one dollar per token. */
export function tokensOf({ asset }: Pick<Conversion, "asset">, cents: bigint): TokenAmount {
  return { asset, baseUnits: cents * BASE_UNITS_PER_CENT };
}

/**
 * Decides by the policies of the agent that acts, and reserves the source amount. An off-ramp also holds the tokens, and
 * counts in the cap of the project; an on-ramp counts in policies alone, because its tokens count when they are spent. Throws the
 * refusals in the order `agent_suspended`, `wallet_frozen`, `kya_required`, `policy_denied`, `cap_exceeded`,
 * `insufficient_funds`.
 */
export async function authorizeConversion(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  plan: ConversionPlan,
): Promise<Pick<Conversion, "reservationId" | "holdId">> {
  const { conversion, wallet } = plan;
  const decided = conversion.agentId === null ? undefined : await decide(tx, app, plan, conversion.agentId);
  if (decided?.refusal?.code === "agent_suspended") throw decided.refusal;
  if (conversion.direction === "off_ramp" && wallet.freezeMode !== null) throw new AppError("wallet_frozen");
  if (decided?.refusal !== undefined) throw decided.refusal;
  requireFeeBelow(plan);
  if (decided?.asking !== undefined) {
    throw new AppError("policy_denied", {
      detail: "A policy of the agent requires an approval, which cannot be requested for conversions.",
    });
  }
  if (decided?.row !== undefined) await policyDecisionRows.insert(tx, decided.row);
  return conversion.direction === "on_ramp"
    ? reserve(tx, app, conversion, decided)
    : hold(tx, app, actor, { conversion, decided });
}

function decide(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { conversion: { tenantId, mode, direction, sourceCents, network, walletId, projectId } }: ConversionPlan,
  agentId: string,
): Promise<DecidedOperation> {
  return decideInTransaction(tx, {
    ...{ tenantId, mode, agentId, walletId, projectId, at: clock.now(), approved: [] },
    facts: {
      operation: direction,
      amount_usd: usdMicrosFromCents(sourceCents),
      token: "USDC",
      network,
      provider: "bridge",
    },
  });
}

async function reserve(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  { mode, conversionId, sourceCents }: Conversion,
  decided: DecidedOperation | undefined,
): Promise<Pick<Conversion, "reservationId" | "holdId">> {
  const limits = decided?.limits ?? [];
  const cause = { mode, causeType: "conversion", causeId: conversionId };
  const amountMicros = usdMicrosFromCents(sourceCents);
  const reserved = await reserveLimits(tx, { cause, amountMicros, limits, at: clock.now() });
  if (typeof reserved === "object") throw limitRefusal(limits, reserved);
  return { reservationId: reserved ?? null, holdId: null };
}

async function hold(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  { conversion, decided }: { readonly conversion: Conversion; readonly decided: DecidedOperation | undefined },
): Promise<Pick<Conversion, "reservationId" | "holdId">> {
  const { tenantId, mode, conversionId, projectId, sourceCents } = conversion;
  const { walletAccountId, transitAccountId } = await openConversionAccounts(tx, conversion, app.clock.now());
  const spent = await spend(tx, app, actor, {
    ...{
      mode,
      cause: { type: "conversion", id: conversionId },
      amount: tokensOf(conversion, sourceCents),
      kind: "hold",
    },
    ...{ debitAccountId: walletAccountId, creditAccountId: transitAccountId },
    project: projectId === null ? undefined : { tenantId, mode, projectId, agentIds: [], projectIds: [] },
    decision: decided,
  });
  if (spent instanceof AppError) throw spent;
  invariant(typeof spent !== "symbol", "the policies are locked since the decision");
  return { reservationId: spent.reservationId ?? null, holdId: spent.transferId };
}

/** Returns the ledger accounts between which a conversion moves tokens. Opens those that are missing. */
export async function openConversionAccounts(tx: Tx, conversion: Conversion, at: Date) {
  const { tenantId, mode, walletId, asset } = conversion;
  const open = async (kind: "wallet" | "in_transit" | "external", subjectType: string, subjectId: string) => {
    const accounts = await openAccounts(tx, { tenantId, mode, kind, subjectType, subjectId }, at);
    const accountId = accounts.get(asset);
    invariant(accountId !== undefined, "accounts are opened for all tokens");
    return accountId;
  };
  return {
    walletAccountId: await open("wallet", "wallet", walletId),
    transitAccountId: await open("in_transit", "in_transit", walletId),
    externalAccountId: await open("external", "external", tenantId),
  };
}
