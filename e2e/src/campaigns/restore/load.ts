import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Purser } from "@purser/sdk";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { submitToken } from "../../submit-token.ts";
import { until } from "../../until.ts";
import { seedWallets, type Wallet } from "../chain/clients.ts";
import type { Address, LiveChain } from "../chain/live-chain.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { type Client, seedClients } from "../money-kill/clients.ts";
import { payOnce } from "../money-kill/pay.ts";

const FUNDING_MICROS = 1_000_000_000n;
const FUNDED_WITHIN_MS = 60_000;
const CONFIRMED_WITHIN_MS = 60_000;
const SERVICE_EVERY_MS = 700;
export const PAID_MICROS = 10_000n;

/** Something that a client knows to be done, when its answer came. */
export interface Acknowledged {
  /** An Idempotency-Key, or the id of a payment or a service. */
  readonly id: string;
  readonly atMs: number;
}

export interface LivePayment extends Acknowledged {
  readonly payee: Address;
}

export interface Load {
  readonly payers: readonly Client[];
  readonly wallets: readonly Wallet[];
  /** A client of a developer with a project that is linked to a provider. */
  readonly customer: Purser;
  readonly projectId: string;
  /** Answers to payments in test mode, by Idempotency-Key. */
  readonly answers: Acknowledged[];
  readonly services: Acknowledged[];
  readonly livePayments: LivePayment[];
}

export async function seedLoad(
  seeds: SeedApp,
  chain: LiveChain,
  { url, clients }: { readonly url: string; readonly clients: number },
): Promise<Load> {
  const payers = await seedClients(seeds, { url, count: clients });
  const wallets = await seedWallets(seeds, url, 2);
  for (const { purser, walletId, address } of wallets) {
    // A read of the chain brings the network into use.
    await purser.wallets.balance(walletId, { refresh: true });
    await chain.mint(address, FUNDING_MICROS);
    const isCredited = async () => (await purser.wallets.get(walletId)).balances[0]?.available !== "0.00" || undefined;
    await until("the deposit is credited", isCredited, FUNDED_WITHIN_MS);
  }
  const customer = retryingClient(url, await seedKeyPair(seeds, await seedDeveloper(seeds)));
  const projectId = await linkProject(customer, url);
  const load = { payers, wallets, customer, projectId, answers: [], services: [], livePayments: [] };
  await addService(load);
  await until("the service has variables", () => pullVariables(load));
  return load;
}

/** Links a project to Acme DB. */
export async function linkProject(purser: Purser, url: string): Promise<string> {
  const { project_id: projectId } = await purser.projects.create({ name: "linked", monthly_cap: "1000.00" });
  // Acme DB exists in tests only, so the SDK's types do not name it.
  const link = await purser.projects.links.begin(projectId, { provider: "acme-db" as "neon" });
  await submitToken(url, link.url ?? "");
  return projectId;
}

/** Pays in both modes and adds services, until `signal` is aborted. */
export function runLoad(load: Load, signal: AbortSignal): Promise<unknown> {
  const repeat = async (act: () => Promise<unknown>) => {
    while (!signal.aborted) await act();
  };
  return Promise.all([
    ...load.payers.map((payer) =>
      repeat(() =>
        payOnce(payer, async ({ idempotencyKey, status }) => {
          if (status === 200) load.answers.push({ id: idempotencyKey, atMs: Date.now() });
        }),
      ),
    ),
    ...load.wallets.map((wallet) => repeat(() => payAndWait(load, wallet))),
    repeat(async () => {
      await addService(load);
      await wait(SERVICE_EVERY_MS);
    }),
  ]);
}

async function addService({ customer, projectId, services }: Load): Promise<void> {
  const name = `s${randomUUID().slice(0, 8)}`;
  const body = { service: "acme-db/postgres" as never, plan: "free", name };
  const added = await customer.projects.services.add(projectId, body);
  services.push({ id: added.service.service_id, atMs: Date.now() });
}

/** Returns the variables of the services, or undefined if there are none. */
export async function pullVariables({ customer, projectId }: Load): Promise<object | undefined> {
  const { variables } = await customer.projects.env.pull(projectId);
  return Object.keys(variables).length > 0 ? variables : undefined;
}

/** Pays an address that nothing else is paid to. */
export async function payLive({ livePayments }: Load, { purser, agentId }: Wallet): Promise<LivePayment> {
  const payee: Address = `0x${randomBytes(20).toString("hex")}`;
  const { payment_id: id } = await purser.payments.send({ agent_id: agentId, amount: "0.01", to: payee });
  const payment = { id, payee, atMs: Date.now() };
  livePayments.push(payment);
  return payment;
}

export async function payAndWait(load: Load, wallet: Wallet): Promise<void> {
  const { id } = await payLive(load, wallet);
  await untilConfirmed(wallet, id);
}

export async function untilConfirmed({ purser }: Wallet, paymentId: string): Promise<void> {
  const isConfirmed = async () => (await purser.payments.get(paymentId)).status === "confirmed" || undefined;
  await until("the payment is confirmed", isConfirmed, CONFIRMED_WITHIN_MS);
}
