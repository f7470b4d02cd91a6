import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { chainFreezesOf, DOWN } from "../../../test/networks/chain-freezes.ts";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { OPERATOR_KEYS } from "../../../test/networks/local-network.ts";
import { auditOf } from "../../../test/project-seeds.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import { addressOfKey, decodeTransaction } from "../../crypto/guardian-transaction.ts";

const MINUTE = 60;

describe("a freeze on the chain", () => {
  const live = useLivePayments();
  const { harness, base } = live;

  beforeEach(async () => {
    await live.prepare();
    await base.local.testClient.setAutomine(true);
  });

  const { read, runJob, seed, settle, transactions } = chainFreezesOf(live);
  const stopNodes = () => {
    for (const node of base.nodes) node.intercept(() => DOWN);
  };
  const resetNodes = () => {
    for (const node of base.nodes) node.reset();
  };

  it("200: is confirmed by a block; the account refuses what was signed before; unfreezing it lets the wallet pay again", async () => {
    const { freeze, unfreeze, show, events, address, payer } = await seed();
    live.changeBundler(() => ({ sendOperation: async () => Promise.reject(new Error("lost")) }));
    await payer.pay();
    await live.send(payer).catch(() => {});
    const { body: queued } = await payer.pay();

    const { status, body } = await freeze();

    expect(status).toBe(200);
    const onchain = { status: "confirmed", tx_hash: expect.stringMatching(/^0x/), block_number: expect.any(Number) };
    expect(body).toMatchObject({
      ...{ status: "frozen", freeze: { database: { frozen: true }, onchain } },
      onchain: { ...onchain, user_op_hash: null },
      blocked: { payments_canceled: 1, user_ops_dropped: 1, user_ops_already_mined: 0 },
    });
    expect(await read(address, "frozen")).toBe(true);
    expect((await payer.pay()).body.code).toBe("wallet_frozen");
    await base.mine(1);
    await live.run(payer);
    expect(await payer.statuses()).toEqual({ confirmed: 1, dropped: 1, canceled: 1 });
    expect((await payer.read(queued.payment_id)).body.failure.code).toBe("wallet_frozen");
    expect((await payer.balance()).held).toBe(0n);

    live.changeBundler(() => ({}));
    expect((await unfreeze()).status).toBe(204);
    expect(await show()).toMatchObject({ status: "active", freeze: { onchain: { status: "not_frozen" } } });
    expect([await read(address, "frozen"), await read(address, "epoch")]).toEqual([false, 2]);
    const { body: paid } = await payer.pay();
    await live.run(payer);
    expect((await payer.read(paid.payment_id)).body.status).toBe("confirmed");
    const all = ["wallet.frozen", "wallet.freeze_onchain_confirmed", "wallet.unfrozen"];
    expect((await events()).slice(-3)).toEqual(all);
    const actions = (await auditOf(harness.app, payer.walletId)).map(({ action }) => action);
    expect(actions.slice(-4)).toEqual([...all.slice(0, 2), "wallet.unfreezing", "wallet.unfrozen"]);
    expect((await transactions()).every(({ endedAt }) => endedAt !== null)).toBe(true);
  });

  it("200: deploys an account that is not deployed, frozen", async () => {
    const { freeze, unfreeze, show, address, payer } = await seed({ isDeployed: false });

    expect((await freeze()).body.onchain.status).toBe("confirmed");

    const { deployment_status, deployment_tx, freeze: shown } = await show();
    expect([deployment_status, deployment_tx]).toEqual(["deployed", shown.onchain.tx_hash]);
    expect(await read(address, "frozen")).toBe(true);
    expect((await unfreeze()).status).toBe(204);
    const { body: sent } = await payer.pay();
    await live.run(payer);
    expect((await payer.read(sent.payment_id)).body.status).toBe("confirmed");
  });

  it("200: several at once get nonces of their own", async () => {
    const wallets: Awaited<ReturnType<typeof seed>>[] = [];
    while (wallets.length < 10) wallets.push(await seed({ isDeployed: false }));

    const answers = await Promise.all(wallets.map(({ freeze }) => freeze()));

    expect(answers.map(({ status }) => status)).toEqual(wallets.map(() => 200));
    // On a busy machine some are still pending when the call stops waiting for them.
    await settle();
    const shown = await Promise.all(wallets.map(({ show }) => show()));
    expect(shown.map(({ freeze }) => freeze.onchain.status)).toEqual(wallets.map(() => "confirmed"));
    const nonces = (await transactions()).slice(-10).map(({ nonce }) => nonce);
    expect(new Set(nonces).size).toBe(10);
  });

  it("200 pending while no node answers: frozen in the database, and confirmed by the job later", async () => {
    const { freeze, show, events, address, payer } = await seed();
    stopNodes();

    const { status, body } = await freeze();

    expect([status, body.status, body.onchain]).toEqual([
      ...[200, "frozen"],
      { status: "pending", user_op_hash: null, tx_hash: null, block_number: null },
    ]);
    expect((await payer.pay()).body.code).toBe("wallet_frozen");
    resetNodes();
    await runJob();
    await runJob();
    expect(await show()).toMatchObject({ freeze: { onchain: { status: "confirmed" } } });
    expect(await read(address, "frozen")).toBe(true);
    expect((await events()).at(-1)).toBe("wallet.freeze_onchain_confirmed");
  });

  it("200: a repeated request gets the same freeze, and sends no second transaction", async () => {
    const { freeze, payer } = await seed();
    await freeze();
    const { length } = await transactions();

    const again = await freeze({ reason: "anomaly" });

    expect(again.body).toMatchObject({ onchain: { status: "confirmed" }, freeze: { reason: "suspected_compromise" } });
    expect(await transactions()).toHaveLength(length);
    expect(
      (await auditOf(harness.app, payer.walletId)).filter(({ action }) => action === "wallet.frozen"),
    ).toHaveLength(1);
  });

  it("is sent again under its nonce for a higher fee every 30 seconds, up to ten times the first", async () => {
    const { freeze, show, address } = await seed();
    await base.local.testClient.setAutomine(false);
    await freeze();
    const first = decodeTransaction((await transactions()).at(-1)?.signedTransaction ?? "");

    for (let attempt = 0; attempt < 15; attempt += 1) await runJob(30);

    const row = (await transactions()).at(-1);
    const last = decodeTransaction(row?.signedTransaction ?? "");
    expect([last.nonce, last.data]).toEqual([first.nonce, first.data]);
    expect(last.maxFeePerGas).toBeGreaterThan(8n * first.maxFeePerGas);
    expect(last.maxFeePerGas).toBeLessThanOrEqual(10n * first.maxFeePerGas);
    expect(row?.hashes.length).toBeLessThanOrEqual(12);
    expect((await show()).freeze.onchain).toMatchObject({ status: "pending", tx_hash: row?.hashes.at(-1) });
    await base.mine(1);
    await base.local.testClient.setAutomine(true);
    await runJob();
    expect((await show()).freeze.onchain.status).toBe("confirmed");
    expect(await read(address, "frozen")).toBe(true);
  });

  it("that the operator cannot pay for fails after ten minutes, with an event and an alarm, and is confirmed when he can", async () => {
    const { freeze, show, events } = await seed();
    const freezer = addressOfKey(OPERATOR_KEYS.PURSER_FREEZER_KEY) as `0x${string}`;
    await base.local.testClient.setBalance({ address: freezer, value: 0n });
    expect((await freeze()).body.onchain.status).toBe("pending");

    await runJob(10 * MINUTE);
    await runJob(30);

    expect(await show()).toMatchObject({ status: "frozen", freeze: { onchain: { status: "failed" } } });
    expect((await events()).filter((type) => type === "wallet.freeze_onchain_failed")).toHaveLength(1);
    expect(harness.logLines.join()).toContain("could not freeze an account on its network: operator action required");
    expect((await freeze()).body.onchain.status).toBe("pending");
    await base.local.testClient.setBalance({ address: freezer, value: 10n ** 20n });
    await runJob();
    await runJob();
    expect((await show()).freeze.onchain.status).toBe("confirmed");
  });

  it("whose block the chain replaces is pending again, and is sent again", async () => {
    const { freeze, show, address, events } = await seed();
    await base.local.testClient.setAutomine(false);
    await freeze();
    await base.mine(1);
    for (const node of base.nodes)
      node.interceptResult("eth_getBlockByNumber", (block) => ({ ...Object(block), number: "0x1" }));
    await runJob();
    expect((await show()).freeze.onchain.status).toBe("confirmed");

    await base.reorganize(1);
    await runJob();

    expect((await show()).freeze.onchain).toMatchObject({ status: "pending", block_number: null });
    resetNodes();
    await base.local.testClient.setAutomine(true);
    await runJob();
    await runJob();
    expect((await show()).freeze.onchain.status).toBe("confirmed");
    expect(await read(address, "frozen")).toBe(true);
    expect((await events()).slice(-3)).toEqual([
      "wallet.freeze_onchain_confirmed",
      "wallet.freeze_onchain_pending",
      "wallet.freeze_onchain_confirmed",
    ]);
  });

  it("whose nonce was used elsewhere is signed with another one", async () => {
    const { freeze, show, address } = await seed();
    for (const node of base.nodes) {
      node.intercept(({ method }) => (method === "eth_sendRawTransaction" ? DOWN : undefined));
    }
    await freeze();
    const before = (await transactions()).at(-1);
    resetNodes();
    const freezer = before?.sender as `0x${string}`;
    await base.local.testClient.impersonateAccount({ address: freezer });
    await base.local.walletClient.sendTransaction({ account: freezer, chain: null, to: freezer });

    for (let run = 0; run < 3; run += 1) await runJob();

    const after = (await transactions()).at(-1);
    expect([after?.nonce, (await show()).freeze.onchain.status]).toEqual([(before?.nonce ?? 0n) + 1n, "confirmed"]);
    expect(await read(address, "frozen")).toBe(true);
  });

  it("is lifted only after a freeze that was signed has reached the chain", async () => {
    const { freeze, unfreeze, show, address } = await seed();
    for (const node of base.nodes) {
      node.intercept(({ method }) => (method === "eth_sendRawTransaction" ? DOWN : undefined));
    }
    await freeze();
    expect((await unfreeze()).status).toBe(503);
    expect((await show()).status).toBe("unfreezing");
    expect(await read(address, "frozen")).toBe(false);

    resetNodes();
    for (let run = 0; run < 4; run += 1) await runJob();

    expect((await show()).status).toBe("active");
    expect([await read(address, "frozen"), await read(address, "epoch")]).toEqual([false, 2]);
  });

  describe("is lifted", () => {
    it("503 while the chain step runs: the wallet stays frozen, a repeat joins it, and the job ends it in the name of the first", async () => {
      const { freeze, unfreeze, show, payer, address } = await seed();
      await freeze();
      await base.local.testClient.setAutomine(false);

      const first = await unfreeze({ note: "reviewed", review_reference: "case-7" });
      const second = await unfreeze({ note: "me too" });

      for (const answer of [first, second]) {
        expect([answer.status, answer.body.code, answer.headers["retry-after"]]).toEqual([
          503,
          "network_unavailable",
          "5",
        ]);
      }
      expect(await show()).toMatchObject({
        ...{ status: "unfreezing", freeze: { database: { frozen: true }, onchain: { status: "unfreeze_pending" } } },
      });
      expect((await payer.pay()).body.code).toBe("wallet_frozen");
      await base.mine(1);
      await base.local.testClient.setAutomine(true);
      await runJob();
      expect(await show()).toMatchObject({ status: "active", freeze: { onchain: { status: "not_frozen" } } });
      expect(await read(address, "frozen")).toBe(false);
      const entry = (await auditOf(harness.app, payer.walletId)).at(-1);
      expect(entry).toMatchObject({ action: "wallet.unfrozen", facts: { review_reference: "case-7" } });
      expect(entry?.actor).toMatchObject({ type: "developer", id: payer.tenantId });
      expect((await unfreeze()).status).toBe(204);
    });

    it("204 at once if no transaction of the freeze was signed", async () => {
      const { freeze, unfreeze, show, address } = await seed();
      stopNodes();
      await freeze();

      expect((await unfreeze()).status).toBe(204);

      resetNodes();
      await runJob();
      expect(await show()).toMatchObject({ status: "active", freeze: { onchain: { status: "not_frozen" } } });
      expect(await read(address, "frozen")).toBe(false);
    });

    it.each(["freeze", "freezeHere"] as const)("not, if a %s comes meanwhile: that one stays", async (again) => {
      const seeded = await seed();
      const { freeze, unfreeze, show, address } = seeded;
      await freeze();
      await base.local.testClient.setAutomine(false);
      await unfreeze();
      // On a slow machine the answer comes before the transaction is sent, and a freeze would drop it.
      const isSent = async () => (await transactions()).at(-1)?.sentAt != null;
      await expect.poll(isSent, { timeout: 10_000 }).toBe(true);

      await seeded[again]({ reason: "legal_order" });
      await base.mine(1);
      await base.local.testClient.setAutomine(true);
      for (let run = 0; run < 3; run += 1) await runJob();

      const isOnChain = again === "freeze";
      const last = isOnChain ? "wallet.freeze_onchain_confirmed" : "wallet.freeze_onchain_lifted";
      expect((await seeded.events()).at(-1)).toBe(last);
      expect(await show()).toMatchObject({
        ...{ status: "frozen", freeze: { database: { frozen: true }, reason: "legal_order" } },
      });
      expect((await show()).freeze.onchain.status).toBe(isOnChain ? "confirmed" : "not_frozen");
      expect(await read(address, "frozen")).toBe(isOnChain);
    });
  });

  it("409: after 20 unfreezes in an hour, because the operator pays for them; freezes are never refused", async () => {
    const { freeze, unfreeze, show } = await seed();
    for (let time = 0; time < 20; time += 1) {
      await freeze();
      expect((await unfreeze()).status).toBe(204);
    }
    expect((await freeze()).body.onchain.status).toBe("confirmed");

    const { status, body } = await unfreeze();

    expect([status, body.code, (await show()).status]).toEqual([409, "conflict", "frozen"]);
    harness.clock.advanceSeconds(60 * MINUTE);
    expect((await unfreeze()).status).toBe(204);
  });

  it("of a kill switch is reported by a reconciliation: confirmed, and the kill switch completed", async () => {
    const { payer, address } = await seed();
    const { body: killed } = await payer.tenant.post("/kill-switch", {
      ...{ scope: "agent", id: payer.agentId, reason: "compromised" },
    });
    const walletOf = (report: { targets: { type: string; onchain: string }[] }) =>
      report.targets.find(({ type }) => type === "wallet");
    expect([killed.status, walletOf(killed)?.onchain]).toEqual(["blocked_pending", "blocked_pending"]);
    await runJob();
    await runJob();

    const { body: reconciled } = await payer.tenant.post(`/kill-switch/${killed.kill_switch_id}/reconcile`, {});

    expect([reconciled.status, walletOf(reconciled)]).toMatchObject([
      "completed",
      { outcome: "killed", onchain: "confirmed" },
    ]);
    expect(await read(address, "frozen")).toBe(true);
  });

  it("with 100 payments in the queue: none is signed after the answer, and none executed after the block of the freeze", async () => {
    const { payer, address, freeze, show } = await seed();
    await Promise.all(Array.from({ length: 100 }, () => payer.pay({ amount: "0.01" })));
    const sending = Promise.all([live.run(payer).catch(() => {}), live.run(payer).catch(() => {})]);
    await setTimeout(100);

    expect((await freeze()).status).toBe(200);
    await sending;
    for (let run = 0; run < 3; run += 1) {
      await live.run(payer);
      await runJob();
    }

    const { onchain } = (await show()).freeze;
    expect(onchain.status).toBe("confirmed");
    const { rows } = await sql<{ signing: string; frozen: string }>`
      select max(audit_id) filter (where action = 'payment.signing') as signing,
        max(audit_id) filter (where action = 'wallet.frozen') as frozen
      from audit_entries where tenant_id = ${payer.tenantId}`.execute(harness.app.db);
    expect(rows[0]?.signing.localeCompare(rows[0].frozen)).toBe(-1);
    const blocks = (await payer.operations()).flatMap(({ outcome, blockNumber }) =>
      outcome === "confirmed" ? [Number(blockNumber)] : [],
    );
    expect(Math.max(...blocks)).toBeLessThanOrEqual(onchain.block_number);
    const { confirmed = 0, canceled = 0, dropped = 0, ...others } = await payer.statuses();
    expect([confirmed + canceled + dropped, others]).toEqual([101, {}]);
    expect(canceled).toBeGreaterThan(0);
    expect(await payer.balance()).toEqual({ total: await base.balanceOf(address), held: 0n });
  });

  it("does not deploy what the wallet's first payment deploys twice", async () => {
    const { payer, freeze, show } = await seed({ isDeployed: false });
    live.changeBundler(() => ({ sendOperation: async () => Promise.reject(new Error("lost")) }));
    await payer.pay();
    await live.send(payer).catch(() => {});
    expect((await show()).deployment_status).toBe("deploying");

    await freeze();
    await base.mine(1);
    await live.run(payer);

    expect((await show()).deployment_status).toBe("deployed");
    expect(await payer.statuses()).toEqual({ dropped: 1 });
    expect(await createWallet(payer.tenant)).toMatchObject({ deployment_status: "counterfactual" });
  });
});
