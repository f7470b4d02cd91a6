import { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import * as UserOperation from "ox/erc4337/UserOperation";
import { Client } from "pg";
import { entryPoint08Abi, entryPoint08Address } from "viem/account-abstraction";
import { beforeEach, describe, expect, it } from "vitest";
import { chainFreezesOf } from "../../../test/networks/chain-freezes.ts";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { runDueWork } from "../../due-work/run-due-work.ts";
import { resumeNetwork } from "../../modules/networks/networks.ts";
import { sendOperations } from "./send-operations.ts";

describe("a live payment, with three confirmations", () => {
  const live = useLivePayments({ confirmations: 3 });
  const { harness, base } = live;
  const { seed } = chainFreezesOf(live);

  beforeEach(() => live.prepare());

  const mineAndWatch = async (blocks = 6) => {
    for (let block = 0; block < blocks; block += 1) {
      await base.mine(1);
      await live.watch();
    }
  };
  /** Gives an operation to the EntryPoint without a bundler. */
  async function execute(json: string): Promise<void> {
    const bundler = base.local.walletClient;
    const operation = UserOperation.toPacked(UserOperation.fromRpc(JSON.parse(json)) as never) as never;
    const args = [[operation], bundler.account.address] as const;
    await bundler.writeContract({
      ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "handleOps", args, chain: null },
    });
  }
  const runJob = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      harness.clock.advanceSeconds(60);
      await runDueWork(harness.app, sendOperations);
      await mineAndWatch(1);
    }
  };

  it("that no bundler has received before a freeze is not sent after it", async () => {
    const { payer, freezeHere, unfreeze } = await seed();
    live.changeBundler(() => ({ sendOperation: async () => Promise.reject(new Error("killed before the call")) }));
    const { body } = await payer.pay();
    await live.send(payer).catch(() => {});
    await freezeHere();
    let calls = 0;
    live.changeBundler(() => ({
      sendOperation: async () => {
        calls += 1;
        return "0x";
      },
    }));
    harness.clock.advanceSeconds(16);

    await live.send(payer);
    await unfreeze();
    harness.clock.advanceSeconds(16);
    await live.send(payer);

    expect(calls).toBe(0);
    await base.local.testClient.increaseTime({ seconds: 601 });
    await mineAndWatch();
    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
    expect((await payer.balance()).held).toBe(0n);
  });

  it("costs the paymaster little, whatever the bundler asks for", async () => {
    const { payer } = await seed();
    const args = [ADDRESSES.local.verifyingPaymaster] as const;
    const deposit = () =>
      base.local.publicClient.readContract({
        ...{ address: entryPoint08Address, abi: entryPoint08Abi, functionName: "balanceOf", args },
      });
    const before = await deposit();
    live.changeBundler(() => ({
      readGasPrice: async () => ({ maxFeePerGas: 10n ** 15n, maxPriorityFeePerGas: 10n ** 15n }),
      estimatePreVerificationGas: async () => 500_000_000_000n,
      sendOperation: async (json) => {
        await execute(json);
        return "0x";
      },
    }));
    await payer.pay();
    await live.send(payer);
    await mineAndWatch();
    expect(before - (await deposit())).toBeLessThan(before / 1_000n);
  });

  it("that another transaction has locked for a moment is not forgotten", async () => {
    const { payer } = await seed();
    await runJob(4);
    const { body } = await payer.pay();
    const holder = new Client({ connectionString: harness.database.superuserUrl });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select 1 from payments where payment_id = $1 for update", [body.payment_id]);
    await runDueWork(harness.app, sendOperations);
    await holder.query("rollback");
    await holder.end();

    await runJob(10);

    expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
  });

  it("in signing ends when its wallet is frozen, also if the bundler's keys are gone", async () => {
    const { payer, freezeHere } = await seed();
    const keys = harness.app.bundlers as { operatorKey: string | null };
    const { operatorKey } = keys;
    live.changeBundler(() => ({ estimatePreVerificationGas: async () => Promise.reject(new Error("killed")) }));
    const [first, second] = [await payer.pay(), await payer.pay()];
    await live.send(payer).catch(() => {});
    expect((await payer.statuses())["signing"]).toBe(2);
    keys.operatorKey = null;

    await live.send(payer).catch(() => {});

    for (const { body } of [first, second]) {
      const { status, failure } = (await payer.read(body.payment_id)).body;
      expect([status, failure.code]).toEqual(["failed", "provider_not_configured"]);
    }
    keys.operatorKey = operatorKey;
    const { body: third } = await payer.pay();
    await live.send(payer).catch(() => {});
    keys.operatorKey = null;
    await freezeHere();
    await live.send(payer).catch(() => {});
    keys.operatorKey = operatorKey;
    expect((await payer.read(third.payment_id)).body.status).toBe("dropped");
    expect((await payer.balance()).held).toBe(0n);
  });

  it("is confirmed if a chain goes back further than its final block and executes it there", async () => {
    const { payer, address } = await seed();
    await base.mine(10);
    for (let look = 0; look < 3; look += 1) await live.watch();
    let json = "";
    live.changeBundler(() => ({
      sendOperation: async (operation) => {
        json = operation;
        return "0x";
      },
    }));
    const { body } = await payer.pay();
    await live.send(payer);
    await base.rollBack(8);
    await base.mine(1);
    await mineAndWatch(4);
    await base.mine(9);
    for (let look = 0; look < 4; look += 1) await live.watch();
    await base.rollBack(9);
    expect(await resumeNetwork(harness.app, "base")).toBe(true);
    await execute(json);

    await mineAndWatch(12);

    expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
    expect(await payer.balance()).toEqual({ total: await base.balanceOf(address), held: 0n });
  });
});
