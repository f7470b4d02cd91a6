import { LRUCache } from "lru-cache";
import type { Db } from "../../../db/database.ts";
import type { ApprovalRule, PaymentPayee } from "../../../db/schema.ts";
import { type BlockchainNetwork, networkFactsOf } from "../../../foundation/blockchain-networks.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { type TokenAmount, usdMicrosOfTokens } from "../../../foundation/money.ts";
import type { CapBehavior, Mode } from "../../../foundation/vocabulary.ts";
import { type DecidedOperation, decideOperation } from "../../decisions/decide-operation.ts";
import { withRules } from "../../decisions/decision-facts.ts";
import type { Payment } from "../queries.ts";
import { settlerOf } from "../settle-payment.ts";
import type { PaymentFacts, PaymentQuery, StoredPaymentFacts } from "./queries.ts";

/** What an agent wants to pay. */
export interface PaymentOrder {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  /** A UUID in lowercase. */
  readonly agentId: string;
  /** Undefined to use the agent's wallet on the network, or its only wallet. */
  readonly walletId: string | undefined;
  readonly network: BlockchainNetwork | undefined;
  /** An amount of a stablecoin of US dollars. */
  readonly amount: TokenAmount;
  /** An address has the checksum of EIP-55, and is not the zero address. */
  readonly payee: PaymentPayee & { readonly type: PaymentQuery["payeeType"] };
  readonly projectId: string | undefined;
  /** The rules that a person has approved for this payment. */
  readonly approved: readonly ApprovalRule[];
}

/** The payment that an order makes, and the decision about it. */
export interface PaymentPlan {
  /** What the facts determine. The payee has a wallet and an agent only if it is a wallet of the tenant. */
  readonly terms: Pick<
    Payment,
    | "walletId"
    | "network"
    | "payeeAddress"
    | "payeeWalletId"
    | "payeeAgentId"
    | "debitAccountId"
    | "creditAccountId"
    | "projectId"
    | "decision"
  >;
  readonly payeeIsNew: boolean;
  /** Undefined without a project. */
  readonly capBehavior: CapBehavior | undefined;
  readonly decided: DecidedOperation;
  /** The first of these that refuses: the agent's status, a freeze, the agent's know-your-agent level, a policy. */
  readonly refusal: AppError | undefined;
}

export function paymentQueryOf(order: PaymentOrder, at: Date): PaymentQuery {
  const { type, value } = order.payee;
  return {
    payerTenantId: order.tenantId,
    payerMode: order.mode,
    payerAgentId: order.agentId,
    payerWalletId: order.walletId ?? null,
    payerNetwork: order.network ?? null,
    payerAsset: order.amount.asset,
    payeeType: type,
    payeeValue: type === "wallet" ? value : value.toLowerCase(),
    namedProjectId: order.projectId ?? null,
    decidedAt: at,
  };
}

/**
 * Decides an order from its facts. Throws `agent_not_found`, `wallet_not_found`, `project_not_found`, `conflict` for a
 * project that is not active, and `validation_error`. `db` is only used as `withRules` does.
 */
export async function planPayment(db: Db, facts: PaymentFacts, order: PaymentOrder, at: Date): Promise<PaymentPlan> {
  const { wallet, payee } = facts;
  const stored = await withRules(db, order.tenantId, facts.decision);
  const decide = () => {
    const { tenantId, mode, agentId, approved, amount } = order;
    const amount_usd = usdMicrosOfTokens(amount);
    const known = {
      ...({ operation: "payment", amount_usd, token: amount.asset.toUpperCase() } as const),
      ...{ network: wallet?.network, payee: payeeAddressOf(facts, order) },
      payee_first_seen: facts.payeeIsNew,
    };
    return decideOperation(stored, { tenantId, mode, agentId, at, approved, facts: known });
  };
  // Throws `agent_not_found` before the wallet is missed.
  const decided = decide();
  requireWallet(facts, order);
  requirePayee(facts, order);
  const project = projectOf(facts, order);
  invariant(wallet !== null && facts.externalAccountId !== null, "a wallet has its accounts");
  return {
    terms: {
      walletId: wallet.walletId,
      network: wallet.network,
      payeeAddress: payeeAddressOf(facts, order),
      payeeWalletId: payee?.walletId ?? null,
      payeeAgentId: payee?.agentId ?? null,
      debitAccountId: wallet.accountId,
      creditAccountId: (settlerOf(order.mode).creditsPayee && payee?.accountId) || facts.externalAccountId,
      projectId: project?.projectId ?? null,
      decision: verdictOf(decided),
    },
    payeeIsNew: facts.payeeIsNew,
    capBehavior: project?.capBehavior,
    decided,
    refusal: refusalOf(facts, decided),
  };
}

/** Returns what the policies decided, as it is stored with the payment. */
function verdictOf({ row, kyaLevel }: DecidedOperation): Payment["decision"] {
  return {
    outcome: row?.outcome ?? "allow",
    policyId: row?.policyId ?? null,
    policyVersion: row?.policyVersion ?? null,
    ruleId: row?.ruleId ?? null,
    kyaLevel,
  };
}

/** A value that the caller named in the order, but that is not an address, is only known from the payee's wallet. */
function payeeAddressOf({ payee }: PaymentFacts, { payee: { value } }: PaymentOrder): string {
  return payee?.address ?? value;
}

/** Throws unless the order determines one wallet of the agent. */
function requireWallet({ wallet, walletCount }: PaymentFacts, order: PaymentOrder): void {
  if (wallet === null) {
    const where = order.network === undefined ? "" : ` on ${order.network}`;
    const detail = `The agent has no ${order.mode} wallet${where}. Create one.`;
    throw new AppError("wallet_not_found", order.walletId === undefined ? { detail } : {});
  }
  if (walletCount > 1) {
    const detail = "is required, because the agent has wallets on several networks";
    throw invalidField("/body/network", "required", detail);
  }
  if (order.network !== undefined && wallet.network !== order.network) {
    const detail = `is not the wallet's network, which is ${wallet.network}`;
    throw invalidField("/body/network", "mismatch", detail);
  }
}

/** Throws unless the wallet can pay the payee. */
function requirePayee({ wallet, payee }: PaymentFacts, { payee: { type, value } }: PaymentOrder): void {
  invariant(wallet !== null, "the order determines a wallet");
  const { walletId, network } = wallet;
  const refuse = (detail: string) => invalidField("/body/to", "payee", detail);
  if (payee === null) {
    if (type === "address") {
      requireExternalAddress(network, value);
      return;
    }
    const missing = type === "agent" ? `agent has no wallet on ${network}` : "wallet does not exist";
    throw new AppError("wallet_not_found", { detail: `The payee's ${missing}.` });
  }
  if (payee.walletId === walletId) throw refuse("is the wallet that pays");
  if (payee.network !== network) {
    throw refuse(`is a wallet on ${payee.network}, but the payment is on ${network}`);
  }
}

/** Throws for the contract of a token, where tokens are lost. */
function requireExternalAddress(network: BlockchainNetwork, address: string): void {
  const tokens: readonly string[] = Object.values(networkFactsOf(network).contracts);
  if (tokens.includes(address)) {
    throw invalidField("/body/to", "payee", "is the contract of a token");
  }
}

/** Returns the project that the payment counts in. Throws unless the order determines it, and it is active. */
function projectOf(
  { project, projectCount, namedProjectExists }: PaymentFacts,
  order: PaymentOrder,
): PaymentFacts["project"] {
  if (project === null) {
    if (order.projectId === undefined) return null;
    if (!namedProjectExists) throw new AppError("project_not_found");
    throw invalidField("/body/project_id", "unknown", "is not a project of the agent");
  }
  if (projectCount > 1) {
    const detail = "is required, because the agent belongs to several projects";
    throw invalidField("/body/project_id", "required", detail);
  }
  if (project.status === "active") return project;
  const detail = `The project ${project.projectId} is ${project.status}. It must be active.`;
  throw new AppError("conflict", { detail });
}

function refusalOf({ wallet, payee }: PaymentFacts, { refusal }: DecidedOperation): AppError | undefined {
  if (refusal?.code === "agent_suspended") return refusal;
  if (wallet?.stopped === true) return new AppError("agent_suspended");
  if (wallet !== null && wallet.freezeMode !== null) return new AppError("wallet_frozen");
  if (payee?.freezeMode === "full") {
    const detail = "The payee's wallet is frozen and accepts no payments.";
    return new AppError("wallet_frozen", { detail });
  }
  return refusal;
}

/** So that facts do not outlive a change whose transaction the database lost in a failover. */
const CACHED_MS = 60_000;

/** The facts of agents that have paid, without those of the payee. */
const payers = new LRUCache<string, StoredPaymentFacts>({
  ...{ ttl: CACHED_MS, noUpdateTTL: true },
  // About 20 MB: most of an entry is its policies.
  maxSize: 50_000,
  sizeCalculation: ({ facts }) => 1 + facts.decision.policies.length,
});
/** Whether an address that an agent has paid is that of a wallet of the tenant. */
const payees = new LRUCache<string, { readonly isWallet: boolean }>({ max: 100_000 });

/**
 * Caches the facts with which a payment was made. `isPaid`: whether the payee was paid, so that it is no longer new to the
 * agent.
 */
export function cachePaymentFacts(query: PaymentQuery, { facts, revision }: StoredPaymentFacts, isPaid: boolean): void {
  // What is used of the limits changes with each payment, and is checked when the amount is reserved.
  const decision = { ...facts.decision, used: {} };
  payers.set(payerOf(query), { facts: { ...facts, decision }, revision });
  const isWallet = facts.payee !== null;
  if (isPaid || isWallet || !facts.payeeIsNew) payees.set(payeeOf(query), { isWallet });
}

/**
 * Returns facts for a payment to an address, or undefined. They can be outdated. The payee is assumed to be no wallet of the
 * tenant, and to be new to the agent unless this process knows better. `purser_require_payment_facts` checks all of this.
 */
export function cachedPaymentFacts(query: PaymentQuery): StoredPaymentFacts | undefined {
  if (query.payeeType !== "address") return undefined;
  const cached = payers.get(payerOf(query));
  const payee = payees.get(payeeOf(query));
  if (cached === undefined || payee?.isWallet === true) return undefined;
  const facts: PaymentFacts = { ...cached.facts, payee: null, payeeIsNew: payee === undefined };
  return { ...cached, facts };
}

function payerOf(query: PaymentQuery): string {
  const { payerTenantId, payerMode, payerAgentId, payerWalletId, payerNetwork } = query;
  const { payerAsset, namedProjectId } = query;
  const wallet = [payerTenantId, payerMode, payerAgentId, payerWalletId, payerNetwork, payerAsset];
  return JSON.stringify([...wallet, namedProjectId]);
}

function payeeOf({ payerTenantId, payerMode, payerAgentId, ...payee }: PaymentQuery): string {
  const { payerNetwork, payeeType, payeeValue } = payee;
  return JSON.stringify([...[payerTenantId, payerMode, payerAgentId, payerNetwork], ...[payeeType, payeeValue]]);
}
