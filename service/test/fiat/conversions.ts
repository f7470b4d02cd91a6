import { runDueWork } from "../../src/due-work/run-due-work.ts";
import type { TenantId } from "../../src/foundation/ids.ts";
import { advanceConversions } from "../../src/modules/fiat/conversions/advance-conversion.ts";
import type { useHarness } from "../harness.ts";
import { createWallet } from "../wallets/create-wallet.ts";
import { banksOf } from "./banks.ts";

type Harness = ReturnType<typeof useHarness>;

/** Helpers that convert money at the simulated Bridge, in test mode. The harness must have the option `vendors`. */
export function conversionsOf(harness: Harness) {
  const banks = banksOf(harness);

  /** Creates a tenant, or takes this one, with a verified bank account and a funded wallet. */
  async function seed({ funds = "0", tenantId }: { readonly funds?: string; readonly tenantId?: TenantId } = {}) {
    const developerId = tenantId ?? (await harness.seedDeveloper());
    const tenant = { tenantId: developerId, ...(await harness.seedKey(developerId, { mode: "test" })) };
    const { body } = await banks.linkBank(tenant);
    await banks.advance();
    const wallet = await createWallet(tenant);
    const walletId = String(wallet.wallet_id);
    if (funds !== "0") await tenant.post(`/wallets/${walletId}/fund`, { amount: funds });
    const accountId = String(body.account.account_id);
    const balance = async () => {
      const { body: read } = await tenant.get(`/wallets/${walletId}/balance?refresh=true`);
      return read.balances.find(({ token }: { readonly token: string }) => token === "USDC");
    };
    const onRamp = (amount: string, more: object = {}) =>
      tenant.post("/fiat/on-ramp", { source_account_id: accountId, wallet_id: walletId, amount, ...more });
    const offRamp = (amount: string, more: object = {}) =>
      tenant.post("/fiat/off-ramp", { destination_account_id: accountId, wallet_id: walletId, amount, ...more });
    const read = async (id: string) => (await tenant.get(`/fiat/conversions/${id}`)).body;
    return { tenant, agentId: String(wallet.agent_id), walletId, accountId, balance, onRamp, offRamp, read };
  }

  /** Sends the dollars of an on-ramp, as its deposit instructions say. */
  function deposit({
    deposit_instructions: { reference },
    source: { amount },
  }: {
    readonly deposit_instructions: { readonly reference: string };
    readonly source: { readonly amount: string };
  }) {
    return fetch(`${harness.sandbox.bridge.url}/deposit`, {
      method: "POST",
      body: new URLSearchParams({ deposit_message: reference, amount }),
    });
  }

  /** Lets the simulator's time pass, and runs the job until it has done what is due. */
  async function advance(seconds = 10) {
    for (let second = 0; second < seconds; second += 1) {
      harness.clock.advanceSeconds(1);
      while ((await runDueWork(harness.app, advanceConversions)) > 0);
    }
  }

  return { banks, seed, deposit, advance };
}

/** What `seed` returns. */
export type Seeded = Awaited<ReturnType<ReturnType<typeof conversionsOf>["seed"]>>;
