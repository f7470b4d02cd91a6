import { isDeepStrictEqual } from "node:util";
import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { tryTransaction } from "../../../db/transaction.ts";
import { scheduleWork } from "../../../due-work/due-work.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { type ConversionId, newId } from "../../../foundation/ids.ts";
import { QUOTAS } from "../../../foundation/wire/quotas.ts";
import { type MoneyAnswer, type MoneyClaim, runClaimedRequest } from "../../../idempotency/money/run-money-request.ts";
import { forgetBalances } from "../../wallets/balances/cached-balances.ts";
import { getWallet } from "../../wallets/wallets.ts";
import { kycStatusOf, presentKyc } from "../fiat-account-resource.ts";
import { requireAccount } from "../fiat-accounts.ts";
import { type FiatCustomer, fiatAccountRows, fiatCustomerRows } from "../queries.ts";
import { requireRampKeys } from "../vendor-access.ts";
import { ADVANCE_CONVERSION } from "./advance-work.ts";
import { authorizeConversion } from "./authorize-conversion.ts";
import type { MaskedConversion } from "./conversion-resource.ts";
import { conversionStatusAt } from "./conversion-status.ts";
import { findLiveProblem } from "./live-conversion.ts";
import {
  type ConversionCaller,
  type ConversionOrder,
  type ConversionPlan,
  findNetworkOf,
  planConversion,
  requireFeeBelow,
} from "./plan-conversion.ts";
import { type Conversion, conversionRows, countOpenOfWallet, countQuotes, findConversionByQuote } from "./queries.ts";
import { recordConversion } from "./record-conversion.ts";
import { requireConversion } from "./require-conversion.ts";

const QUOTE_VALID_MS = 30_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** The stored response of a request: each call under its Idempotency-Key gets the conversion as it is then. */
export interface ConversionReference {
  readonly conversionId: ConversionId;
}

export interface RequestConversion {
  readonly claim: MoneyClaim<ConversionReference>;
  readonly caller: ConversionCaller;
  readonly order: ConversionOrder;
  /** A quote to execute. Undefined for a new conversion. */
  readonly quoteId: string | undefined;
  /** Whether the conversion is executed, or only quoted. */
  readonly isExecuted: boolean;
}

/** Quotes a conversion, or executes one: a new one, or that of a quote with the same terms. Throws its refusals. */
export async function requestConversion(app: App, actor: Actor, request: RequestConversion): Promise<MoneyAnswer> {
  const { claim, caller, order, quoteId, isExecuted } = request;
  const networkProblem = await findProblemOfOrder(app, caller, order);
  const work = async (tx: Tx) => {
    const plan = { ...(await planConversion({ ...app, db: tx }, caller, order)), networkProblem };
    if (quoteId !== undefined) return execute(tx, app, actor, await planOfQuote(tx, app, { plan, caller, quoteId }));
    if (!isExecuted) return quote(tx, app, actor, plan);
    return execute(tx, app, actor, plan);
  };
  return run(app, actor, claim, { work, facts: { direction: order.direction, amount: order.amount } });
}

/** Executes a quote. Throws `conversion_not_found`, `quote_expired`, `conflict` if it was executed, and the refusals. */
export async function executeQuote(
  app: App,
  actor: Actor,
  {
    claim,
    caller,
    conversionId,
  }: Pick<RequestConversion, "claim" | "caller"> & { readonly conversionId: ConversionId },
): Promise<MoneyAnswer> {
  // The existence is checked first, so that an absent conversion leaves no trace.
  const { conversion: asked } = await requireConversion(app.db, caller.scope, conversionId);
  const networkProblem = await findLiveProblem(app, asked);
  const work = async (tx: Tx) => {
    const conversion = await lockInScope(tx, caller, conversionId);
    requireOpenQuote(conversion, app.clock.now());
    // The caller is decided about: an agent does not get around its policies with a quote of the developer.
    const { agentId } = caller;
    const plan = { ...(await planOf(tx, caller, { ...conversion, agentId })), networkProblem };
    await requireRampKeys(tx, app.ramp, plan.held.customer);
    return execute(tx, app, actor, plan);
  };
  return run(app, actor, claim, { work, facts: { conversion_id: conversionId } });
}

/** Returns the conversion that an order would make, with the refusals in earnest. Stores nothing and calls no vendor. */
export async function validateConversion(
  app: App,
  actor: Actor,
  { caller, order }: Pick<RequestConversion, "caller" | "order">,
): Promise<MaskedConversion> {
  const networkProblem = await findProblemOfOrder(app, caller, order);
  return tryTransaction(app.db, actor.tenantId, async (tx) => {
    const plan = { ...(await planConversion({ ...app, db: tx }, caller, order)), networkProblem };
    await authorize(tx, app, actor, plan);
    return { conversion: plan.conversion, mask: plan.held.account.mask };
  });
}

async function run(
  app: App,
  actor: Actor,
  claim: MoneyClaim<ConversionReference>,
  { work, facts }: { readonly work: (tx: Tx) => Promise<Conversion>; readonly facts: Readonly<Record<string, string>> },
): Promise<MoneyAnswer> {
  let made: Conversion | undefined;
  const answer = await runClaimedRequest(
    app,
    claim,
    async (tx) => {
      made = await work(tx);
      return { conversionId: made.conversionId };
    },
    async (tx, { code, decision }) => {
      const refusal = { action: "conversion.refused", subject: { type: "developer", id: actor.tenantId } };
      const details = { ...facts, code, decision: decision ?? null };
      await appendAuditEntry(tx, actor, { ...refusal, facts: details, occurredAt: app.clock.now() });
    },
  );
  if (made !== undefined) await forgetBalances(app, made.tenantId, [made.walletId]);
  return answer;
}

async function quote(tx: Tx, app: App, actor: Actor, plan: ConversionPlan): Promise<Conversion> {
  requireFeeBelow(plan);
  if (plan.networkProblem !== undefined) throw plan.networkProblem;
  const at = app.clock.now();
  await lockQuotas(tx, plan);
  const { max } = QUOTAS.quotes;
  if ((await countQuotes(tx, actor, { since: new Date(at.getTime() - HOUR_MS), limit: max })) >= max) {
    throw new AppError("conflict", {
      detail: `There were ${max.toLocaleString("en-US")} quotes in the last hour. Wait.`,
    });
  }
  const quoteExpiresAt = new Date(at.getTime() + QUOTE_VALID_MS);
  return insert(tx, actor, plan, { quoteId: newId("qt"), quoteExpiresAt });
}

/** Returns why the order's live wallet cannot be used now, or undefined. An order without a wallet is refused later. */
async function findProblemOfOrder(
  app: App,
  caller: ConversionCaller,
  order: ConversionOrder,
): Promise<AppError | undefined> {
  const { tenantId, mode } = caller.scope;
  const network = mode === "test" ? undefined : await findNetworkOf(app.db, caller, order);
  return network && (await findLiveProblem(app, { tenantId, mode, network, direction: order.direction }));
}

/** Throws the refusals, the last of which is that the network cannot be used. Otherwise reserves and holds. */
async function authorize(tx: Tx, app: App, actor: Actor, plan: ConversionPlan) {
  const authorized = await authorizeConversion(tx, app, actor, plan);
  // The account is locked, so that it is not removed meanwhile.
  const account = await fiatAccountRows.lockAndGet(tx, plan.held.account);
  const customer = (await lockQuotas(tx, plan)) ?? plan.held.customer;
  requireUsable({ ...plan, held: { account, customer } });
  const { max } = QUOTAS.openConversions;
  if ((await countOpenOfWallet(tx, plan.conversion, max)) >= max) {
    throw new AppError("conflict", { detail: `The wallet has ${max} conversions that are not final. Wait for one.` });
  }
  if (plan.networkProblem !== undefined) throw plan.networkProblem;
  // A quote may be older than the registration of its holder and account at the vendor.
  const { externalAccountId } = account;
  const { rampOwner, rampCustomerId } = customer;
  return { ...authorized, externalAccountId, rampOwner, rampCustomerId: rampCustomerId ?? "" };
}

/** Makes concurrent requests of the account and mode wait, so that they cannot exceed a quota together. */
function lockQuotas(tx: Tx, { held: { customer } }: ConversionPlan): Promise<FiatCustomer | undefined> {
  return fiatCustomerRows.lock(tx, customer);
}

async function execute(tx: Tx, app: App, actor: Actor, plan: ConversionPlan): Promise<Conversion> {
  const at = app.clock.now();
  const authorized = await authorize(tx, app, actor, plan);
  const { paymentRail } = plan.conversion;
  const isFast = paymentRail === "wire" || paymentRail === "ach_same_day";
  const executed = {
    ...authorized,
    ...({ status: "in_review", executedAt: at, updatedAt: at } as const),
    expectedCompletionAt: new Date(at.getTime() + (isFast ? 1 : 3) * DAY_MS),
  };
  const conversion = await insert(tx, actor, plan, executed);
  const { tenantId, conversionId } = conversion;
  // The request itself goes on after its commit. The job does so if the process ends before.
  const dueAt = new Date(at.getTime() + app.settings.syncWaitMs + 5_000);
  await scheduleWork(tx, ADVANCE_CONVERSION, { tenantId, subject: conversionId, dueAt });
  return conversion;
}

/** Stores a new conversion, or what has changed about a quote, with its status, audit entry and event. */
async function insert(
  tx: Tx,
  actor: Actor,
  { conversion: before, held }: ConversionPlan,
  change: Partial<Conversion>,
): Promise<Conversion> {
  const after = { ...before, ...change };
  const timeline = [...before.timeline, { status: after.status, at: after.updatedAt.toISOString() }];
  const row = {
    ...after,
    timeline: JSON.stringify(timeline),
    metadata: JSON.stringify(after.metadata),
    ...{ depositInstructions: null, trace: null, failure: null },
  };
  const conversion =
    before.timeline.length === 0
      ? await conversionRows.insertAndGet(tx, row)
      : await conversionRows.updateAndGet(tx, before, row);
  await recordConversion(tx, actor, { conversion, mask: held.account.mask }, after.updatedAt);
  return conversion;
}

async function planOfQuote(
  tx: Tx,
  app: App,
  {
    plan,
    caller,
    quoteId,
  }: { readonly plan: ConversionPlan; readonly caller: ConversionCaller; readonly quoteId: string },
): Promise<ConversionPlan> {
  const found = await findConversionByQuote(tx, caller.scope, quoteId);
  const conversion = found && (await conversionRows.lock(tx, found));
  if (conversion === undefined || conversion.status !== "quoted") {
    throw invalidField("/body/quote_id", "unknown", "is no open quote of this account");
  }
  requireOpenQuote(conversion, app.clock.now());
  requireSameTerms(conversion, plan.conversion);
  return { ...plan, conversion };
}

const TERMS = [
  "direction",
  "accountId",
  "walletId",
  "paymentRail",
  "sourceCents",
  "feeCents",
  "agentId",
  "projectId",
  "statementDescriptor",
  "externalReferenceId",
] as const;

function requireSameTerms(quoted: Conversion, asked: Conversion): void {
  // The database returns the keys in another order.
  const hasOtherMetadata = !isDeepStrictEqual(quoted.metadata, asked.metadata);
  const differing = TERMS.find((term) => quoted[term] !== asked[term]) ?? (hasOtherMetadata ? "metadata" : undefined);
  if (differing === undefined) return;
  throw invalidField("/body/quote_id", "mismatch", `is a quote with another ${differing}`);
}

function requireOpenQuote(conversion: Conversion, at: Date): void {
  const status = conversionStatusAt(conversion, at);
  if (status === "quoted") return;
  if (status === "expired" && conversion.executedAt === null) throw new AppError("quote_expired");
  throw new AppError("conflict", { detail: `The conversion is ${status}. Only a quote can be executed.` });
}

/** Throws `conflict` unless the bank account is verified and its holder approved. */
function requireUsable({ held: { account, customer }, conversion: { direction } }: ConversionPlan): void {
  if (account.status !== "verified") {
    throw new AppError("conflict", {
      detail: `The bank account is ${account.status}. It must be verified.`,
      nextAction: { type: "relink_account", actor: "human", url: "/api/v1/svc/fiat/link-account" },
    });
  }
  const status = kycStatusOf(customer);
  const { identity_check, terms } = presentKyc(customer).requirements;
  const url = (identity_check ?? terms)?.url;
  const isRegistered = direction === "on_ramp" || account.externalAccountId !== null;
  if (status === "approved" && customer.rampCustomerId !== null && isRegistered) return;
  throw new AppError("conflict", {
    detail: `The holder's identification is ${status}. It must be approved, and the account registered with Bridge.`,
    nextAction: { type: "complete_kyc", actor: "human", ...(url !== undefined && { url }) },
  });
}

async function lockInScope(
  tx: Tx,
  { scope }: Pick<ConversionCaller, "scope">,
  conversionId: ConversionId,
): Promise<Conversion> {
  const { conversion } = await requireConversion(tx, scope, conversionId);
  return conversionRows.lockAndGet(tx, conversion);
}

async function planOf(tx: Tx, { scope }: ConversionCaller, conversion: Conversion): Promise<ConversionPlan> {
  const held = await requireAccount(tx, scope, conversion.accountId);
  const wallet = await getWallet(tx, { ...scope, walletId: conversion.walletId });
  return { conversion, held, wallet, maxFee: undefined };
}
