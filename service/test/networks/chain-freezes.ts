import { randomUUID } from "node:crypto";
import { agentAccountAbi } from "@purser/contracts/abi/agent-account.ts";
import { runDueWork } from "../../src/due-work/run-due-work.ts";
import { sendOperatorTransactions } from "../../src/workflows/operator-transactions/send-transactions.ts";
import { eventsOf } from "../project-seeds.ts";
import type { useLivePayments } from "./live-payments.ts";

/** What a node answers that does not work. */
export const DOWN = { status: 503, body: {} };

/** Helpers for tests that freeze accounts on a chain. */
export function chainFreezesOf({ harness, base, seedPayer, send, watch }: ReturnType<typeof useLivePayments>) {
  const read = async (address: string, functionName: "frozen" | "epoch") =>
    await base.local.publicClient.readContract({
      ...{ address: address as `0x${string}`, abi: agentAccountAbi, functionName },
    });

  /** Runs the job once, when it is due again. */
  async function runJob(afterSeconds = 10): Promise<void> {
    harness.clock.advanceSeconds(afterSeconds);
    await runDueWork(harness.app, sendOperatorTransactions);
  }

  /** Makes blocks and runs the job until nothing is under way. */
  async function settle(): Promise<void> {
    await base.local.testClient.setAutomine(true);
    for (let run = 0; run < 8; run += 1) {
      await base.mine(1);
      await runJob(31);
    }
  }

  /** Creates a wallet with 100 USDC, by default with an account that has paid once. */
  async function seed({ isDeployed = true } = {}) {
    const seeded = await seedPayer();
    const { payer, wallet } = seeded;
    if (isDeployed) {
      await payer.pay();
      await send(payer);
      for (let block = 0; block < 5; block += 1) {
        await watch();
        await base.mine(1);
      }
    }
    const path = `/wallets/${wallet.wallet_id}`;
    const address = wallet.address as string;
    const show = async () => (await payer.tenant.get(path)).body;
    const post = (verb: string, body: object, key: string) =>
      payer.tenant.post(`${path}/${verb}`, body, { headers: { "idempotency-key": key } });
    return {
      ...{ ...seeded, address, show },
      freeze: (body: object = { reason: "suspected_compromise" }) => post("freeze-on-chain", body, randomUUID()),
      freezeHere: (body: object = { reason: "legal_order" }) => post("freeze", body, randomUUID()),
      unfreeze: (body: object = {}, key: string = randomUUID()) => post("unfreeze", body, key),
      events: async () => (await eventsOf(harness.app, wallet.wallet_id)).map(({ type }) => type),
      /** The wallet's status, its freeze on the chain as it is shown, and whether the account is frozen. */
      state: async () => {
        const { status, freeze } = await show();
        return [status, freeze.onchain.status, await read(address, "frozen")];
      },
    };
  }

  return {
    ...{ read, runJob, settle, seed },
    transactions: () =>
      harness.app.db.selectFrom("operatorTransactions").selectAll().orderBy("transactionId").execute(),
  };
}
