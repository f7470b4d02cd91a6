import { LRUCache } from "lru-cache";
import type { PaymentFacts, PaymentQuery, StoredPaymentFacts } from "./queries.ts";

/** So that facts do not outlive a change whose transaction the database lost in a failover. */
const KEPT_MS = 60_000;

/** The facts of agents that have paid, without those of the payee. */
const payers = new LRUCache<string, StoredPaymentFacts>({
  ...{ ttl: KEPT_MS, noUpdateTTL: true },
  // About 20 MB: most of an entry is its policies.
  maxSize: 50_000,
  sizeCalculation: ({ facts }) => 1 + facts.decision.policies.length,
});
/** Whether an address that an agent has paid is that of a wallet of the tenant. */
const payees = new LRUCache<string, { readonly isWallet: boolean }>({ max: 100_000 });

/**
 * Keeps the facts with which a payment was made. `isPaid`: whether the payee was paid, so that it is no longer new to the
 * agent.
 */
export function keepPaymentFacts(query: PaymentQuery, { facts, revision }: StoredPaymentFacts, isPaid: boolean): void {
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
export function keptPaymentFacts(query: PaymentQuery): StoredPaymentFacts | undefined {
  if (query.payeeType !== "address") return undefined;
  const kept = payers.get(payerOf(query));
  const payee = payees.get(payeeOf(query));
  if (kept === undefined || payee?.isWallet === true) return undefined;
  const facts: PaymentFacts = { ...kept.facts, payee: null, payeeIsNew: payee === undefined };
  return { ...kept, facts };
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
