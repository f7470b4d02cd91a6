import type { App } from "../../../app.ts";
import type { Db } from "../../../db/database.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { isId, newId, type ProjectId } from "../../../foundation/ids.ts";
import { formatUsdCents, parseDecimal } from "../../../foundation/money.ts";
import type { ConversionDirection } from "../../../foundation/vocabulary.ts";
import type { OffRampRail, OnRampRail } from "../../../ports/stablecoin-ramp.ts";
import { findWalletOverview, type WalletOverview } from "../../wallets/queries.ts";
import { getWallet } from "../../wallets/wallets.ts";
import { requireAccount } from "../fiat-accounts.ts";
import type { HeldAccount } from "../queries.ts";
import { requireRampKeys } from "../vendor-access.ts";
import { type Conversion, type ConversionScope, findWalletIdByAddress, listProjectsOfAgent } from "./queries.ts";

const CENTS_MIN = 1_00n;
const CENTS_MAX = 1_000_000_00n;
const BASIS_POINTS = 10_000n;

/** What a conversion takes from the source, and what of it is Purser's fee. The destination gets the rest. */
interface ConversionPrice {
  readonly sourceCents: bigint;
  readonly feeCents: bigint;
}

/**
 * Prices a conversion of dollars into a dollar stablecoin or back, one to one. The fee is a share of the source, rounded up to a
 * cent. `target` fixes what the destination gets: the source is the smallest amount that leaves it. Throws `validation_error`
 * for more than two decimals, a destination below 1.00 and a source above 1,000,000.00.
 */
export function priceConversion(
  text: string,
  { amountType, feeBps }: { readonly amountType: "source" | "target"; readonly feeBps: number },
): ConversionPrice {
  const cents = parseDecimal(text, 2);
  if (cents === undefined) {
    throw invalidField(
      "/body/amount",
      "decimals",
      "must have at most two decimals, because both sides are counted in cents",
    );
  }
  // So that no huge number is computed with.
  if (cents > CENTS_MAX) throw aboveMaximum();
  const sourceCents = amountType === "source" ? cents : sourceOf(cents, BigInt(feeBps));
  const feeCents = feeOf(sourceCents, BigInt(feeBps));
  if (sourceCents - feeCents < CENTS_MIN) {
    throw invalidField("/body/amount", "minimum", "must leave at least 1.00 for the destination");
  }
  if (sourceCents > CENTS_MAX) throw aboveMaximum();
  return { sourceCents, feeCents };
}

function feeOf(sourceCents: bigint, feeBps: bigint): bigint {
  return (sourceCents * feeBps + BASIS_POINTS - 1n) / BASIS_POINTS;
}

/** What is left rises by 0 or 1 with each cent of the source, so some source leaves exactly the target. */
function sourceOf(targetCents: bigint, feeBps: bigint): bigint {
  let sourceCents = (targetCents * BASIS_POINTS) / (BASIS_POINTS - feeBps);
  while (sourceCents - feeOf(sourceCents, feeBps) < targetCents) sourceCents += 1n;
  return sourceCents;
}

function aboveMaximum() {
  return invalidField("/body/amount", "maximum", "must be at most 1,000,000.00 at the source");
}

/** What a caller wants to convert. */
export interface ConversionOrder {
  readonly direction: ConversionDirection;
  readonly accountId: string;
  readonly wallet: { readonly walletId: string } | { readonly address: string; readonly network: BlockchainNetwork };
  /** A decimal. */
  readonly amount: string;
  readonly amountType: "source" | "target";
  readonly paymentRail: OnRampRail | OffRampRail;
  readonly projectId: string | undefined;
  /** The most that the fees may be, as a decimal. */
  readonly maxFee: string | undefined;
  readonly statementDescriptor: string | null;
  readonly externalReferenceId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** A conversion that is not stored yet, and what it is made of. */
export interface ConversionPlan {
  readonly conversion: Conversion;
  readonly held: HeldAccount;
  readonly wallet: WalletOverview;
  /** The most that the fees may be, as a decimal. */
  readonly maxFee: string | undefined;
  /** Why the network of a live wallet cannot be used now. */
  readonly networkProblem?: AppError | undefined;
}

/** The caller of a conversion: what it can reach, and the agent that acts. Null for the developer. */
export interface ConversionCaller {
  readonly scope: ConversionScope;
  readonly agentId: string | null;
}

/**
 * Returns the conversion that an order makes, as a quote. Throws `validation_error`, `fiat_account_not_found`,
 * `wallet_not_found`, `project_not_found`, `conflict` for a project that is not active, and `provider_not_configured`.
 */
export async function planConversion(
  { db, clock, settings, ramp }: Pick<App, "db" | "clock" | "settings" | "ramp">,
  caller: ConversionCaller,
  order: ConversionOrder,
): Promise<ConversionPlan> {
  const { scope, agentId } = caller;
  const { tenantId, mode } = scope;
  const held = await findAccountOf(db, scope, order.accountId);
  const feeBps = held.customer.rampOwner === "developer" ? 0 : settings.fiatFeeBps;
  const price = priceConversion(order.amount, { ...order, feeBps });
  const wallet = await findWalletOf(db, scope, order);
  const projectId = await findProjectOf(db, wallet, order.projectId);
  await requireRampKeys(db, ramp, held.customer);
  const at = clock.now();
  const conversion: Conversion = {
    ...price,
    ...{ tenantId, mode, agentId, projectId, asset: "usdc", conversionId: newId("conv") },
    ...{ direction: order.direction, paymentRail: order.paymentRail, metadata: order.metadata },
    ...{ statementDescriptor: order.statementDescriptor, externalReferenceId: order.externalReferenceId },
    ...{ accountId: held.account.accountId, externalAccountId: held.account.externalAccountId },
    ...{ walletId: wallet.walletId, network: wallet.network, address: wallet.address },
    rampOwner: held.customer.rampOwner,
    rampCustomerId: held.customer.rampCustomerId ?? "",
    ...{ status: "quoted", rank: 0, quoteId: null, quoteExpiresAt: null, reservationId: null },
    ...{ transferId: null, transferAskedAt: null, depositAddress: null, refundDepositId: null },
    ...{ holdId: null, ledgerTransferId: null, depositInstructions: null, trace: null, failure: null },
    ...{ returnReason: null, haltedAt: null, timeline: [], executedAt: null, expectedCompletionAt: null },
    ...{ completedAt: null, createdAt: at, updatedAt: at },
  };
  return { conversion, held, wallet, maxFee: order.maxFee };
}

/** Returns the network of the order's wallet, if there is one. */
export async function findNetworkOf(
  db: Db,
  { scope }: ConversionCaller,
  { wallet }: Pick<ConversionOrder, "wallet">,
): Promise<BlockchainNetwork | undefined> {
  if ("network" in wallet) return wallet.network;
  if (!isId("wal", wallet.walletId)) return undefined;
  return (await findWalletOverview(db, { ...scope, walletId: wallet.walletId }))?.network;
}

function findAccountOf(db: Db, scope: ConversionScope, accountId: string): Promise<HeldAccount> {
  if (!isId("ba", accountId)) throw new AppError("fiat_account_not_found", { internal: "malformed ba id" });
  return requireAccount(db, scope, accountId);
}

async function findWalletOf(db: Db, scope: ConversionScope, { wallet }: ConversionOrder): Promise<WalletOverview> {
  if ("walletId" in wallet) {
    const { walletId } = wallet;
    if (!isId("wal", walletId)) throw new AppError("wallet_not_found", { internal: "malformed wal id" });
    return getWallet(db, { ...scope, walletId });
  }
  const walletId = await findWalletIdByAddress(db, scope, wallet);
  const detail = "is not the address of one of your wallets on this network";
  if (walletId === undefined) throw invalidField("/body/destination_address", "not_a_wallet", detail);
  return getWallet(db, { ...scope, walletId });
}

/** Returns the project of the wallet's agent. Throws unless the order determines it, and it is active. */
async function findProjectOf(db: Db, wallet: WalletOverview, projectId: string | undefined): Promise<ProjectId | null> {
  const projects = await listProjectsOfAgent(db, wallet);
  const named = projectId === undefined ? projects : projects.filter((project) => project.projectId === projectId);
  const [project, ...others] = named;
  if (project === undefined) {
    if (projectId === undefined) return null;
    throw invalidField("/body/project_id", "unknown", "is not a project of the wallet's agent");
  }
  if (others.length > 0) {
    throw invalidField("/body/project_id", "required", "is required, because the agent belongs to several projects");
  }
  if (project.status === "active") return project.projectId;
  const detail = `The project ${project.projectId} is ${project.status}. It must be active.`;
  throw new AppError("conflict", { detail });
}

/** Throws `policy_denied` if the fees are higher than the caller accepts. */
export function requireFeeBelow({ maxFee, conversion: { feeCents } }: ConversionPlan): void {
  const maxMicros = maxFee === undefined ? undefined : parseDecimal(maxFee, 6);
  if (maxMicros === undefined || feeCents * 10_000n <= maxMicros) return;
  throw new AppError("policy_denied", {
    detail: `The fees are ${formatUsdCents(feeCents)} USD, which is more than max_fee.`,
    decision: { rule_id: "max_fee" },
  });
}
