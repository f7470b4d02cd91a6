import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { APIError, type Purser } from "@purser/sdk";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { until } from "../../until.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { pick, random } from "../random.ts";
import { type Address, type LiveChain, NETWORK } from "./live-chain.ts";

const TENANTS = 4;
const RULES = [{ id: "allow", effect: "allow" as const, operation: "payment" as const }];
const MICROS_PER_CENT = 10_000n;
const CENTS_MAX = 99;
/** One payment in this number goes to another wallet of the tenant. */
const OWN_WALLET_EVERY = 4;
const AT_ONCE_MAX = 4;
const FOLLOWED_MS = 30_000;
const READ_EVERY_MS = 300;
const DEPOSIT_PAUSE_MAX_MS = 1_000;
const FREEZE_PAUSE_MAX_MS = 10_000;
const UNDER_WAY = ["queued", "signing", "submitted"];

export interface Wallet {
  readonly tenantId: TenantId;
  readonly purser: Purser;
  /** The same client: its key is live, so it can read the audit trail. */
  readonly auditor: Purser;
  readonly agentId: string;
  readonly walletId: string;
  readonly address: Address;
}

/** The final answer to a payment. */
export interface PaymentAcknowledgement {
  readonly walletId: string;
  /** The error code. Null for a 200. */
  readonly code: string | null;
  /** Null if no payment was made. */
  readonly paymentId: string | null;
  /** An address that nothing else is paid to, or that of another wallet of the tenant. */
  readonly payee: Address;
  readonly isOwnWallet: boolean;
  readonly micros: bigint;
}

/** Creates live wallets of four tenants through the API. */
export async function seedWallets(seeds: SeedApp, url: string, count: number): Promise<readonly Wallet[]> {
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, async () => {
      const tenantId = await seedDeveloper(seeds);
      const purser = retryingClient(url, await seedKeyPair(seeds, tenantId));
      const { policy_id: policyId } = await purser.policies.create({ name: "payers", rules: RULES });
      return { tenantId, purser, auditor: purser, policyId };
    }),
  );
  return Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const { policyId, ...tenant } = pick(tenants, number % TENANTS);
      const { agent_id: agentId } = await tenant.purser.agents.create({ name: `agent ${number}`, policy_id: policyId });
      const wallet = await tenant.purser.wallets.create({ agent_id: agentId, network: NETWORK });
      return { ...tenant, agentId, walletId: wallet.wallet_id, address: wallet.address as Address };
    }),
  );
}

/** What the clients have done so far. */
export interface History {
  readonly payments: PaymentAcknowledgement[];
  deposits: number;
  freezes: number;
}

/** Pays from each wallet, creates USDC for them, and freezes and unfreezes them, until `signal` is aborted. */
export function useWallets(
  wallets: readonly Wallet[],
  chain: LiveChain,
  history: History,
  signal: AbortSignal,
): readonly Promise<void>[] {
  const repeat = async (act: () => Promise<void>) => {
    while (!signal.aborted) await act();
  };
  const anyWallet = () => pick(wallets, random(wallets.length));
  return [
    ...wallets.map((wallet) => repeat(() => paySome(wallets, wallet, history, signal))),
    repeat(async () => {
      await wait(random(DEPOSIT_PAUSE_MAX_MS));
      const isSent = await chain.mint(anyWallet().address, randomMicros()).then(
        () => true,
        // The chain is paused.
        () => false,
      );
      if (isSent) history.deposits += 1;
    }),
    repeat(async () => {
      await wait(random(FREEZE_PAUSE_MAX_MS), undefined, { signal }).catch(() => {});
      await freezeAndUnfreeze(anyWallet(), signal);
      history.freezes += 1;
    }),
  ];
}

/** Sends some payments at once, and waits for the end of one for a while. */
async function paySome(
  wallets: readonly Wallet[],
  wallet: Wallet,
  history: History,
  signal: AbortSignal,
): Promise<void> {
  const ids = await Promise.all(
    Array.from({ length: 1 + random(AT_ONCE_MAX) }, async () => {
      const acknowledgement = await pay(wallets, wallet);
      history.payments.push(acknowledgement);
      return acknowledgement.paymentId;
    }),
  );
  const [paymentId] = ids;
  const hasEnded = async () => {
    await wait(READ_EVERY_MS);
    if (signal.aborted || !paymentId) return true;
    return !UNDER_WAY.includes((await wallet.purser.payments.get(paymentId)).status) || undefined;
  };
  await until("the payment has ended", hasEnded, FOLLOWED_MS).catch(() => {});
}

async function pay(wallets: readonly Wallet[], wallet: Wallet): Promise<PaymentAcknowledgement> {
  const { purser, agentId, walletId, tenantId } = wallet;
  const others = wallets.filter((other) => other.tenantId === tenantId && other !== wallet);
  const isOwnWallet = random(OWN_WALLET_EVERY) === 0;
  const payee = isOwnWallet ? pick(others, random(others.length)).address : newAddress();
  const micros = randomMicros();
  const made = { walletId, payee, isOwnWallet, micros };
  const amount = `0.${String(micros / MICROS_PER_CENT).padStart(2, "0")}`;
  try {
    const body = { agent_id: agentId, amount, to: payee };
    const { payment_id: paymentId } = await purser.payments.send(body);
    return { ...made, code: null, paymentId };
  } catch (error) {
    if (!(error instanceof APIError) || ![402, 403].includes(error.status)) throw error;
    return { ...made, code: error.code ?? "", paymentId: null };
  }
}

async function freezeAndUnfreeze({ purser, walletId }: Wallet, signal: AbortSignal): Promise<void> {
  const { wallets } = purser;
  await wallets.freezeOnChain(walletId, { reason: "suspected_compromise" });
  await wait(random(FREEZE_PAUSE_MAX_MS), undefined, { signal }).catch(() => {});
  // Some wallets are frozen at the end.
  if (signal.aborted) return;
  await wallets.unfreeze(walletId, {}).catch((error: unknown) => {
    // A tenant can have 20 accounts unfrozen in an hour. After that, this one stays frozen.
    if (!(error instanceof APIError) || error.status !== 409) throw error;
  });
}

function randomMicros(): bigint {
  return MICROS_PER_CENT * BigInt(1 + random(CENTS_MAX));
}

function newAddress(): Address {
  return `0x${randomBytes(20).toString("hex")}`;
}
