import { randomUUID } from "node:crypto";
import { decodeFunctionResult, encodeFunctionResult, multicall3Abi, numberToHex } from "viem";
import { beforeEach, describe, expect, it } from "vitest";
import { useLivePayments } from "../../../test/networks/live-payments.ts";
import { auditOf, eventsOf } from "../../../test/project-seeds.ts";
import { createWallet } from "../../../test/wallets/create-wallet.ts";
import { randomAddress } from "../../../test/wallets/seed-wallet.ts";
import { ENTRY_POINT } from "../../crypto/agent-account.ts";
import { USER_OPERATION_EVENT } from "../../crypto/user-operation.ts";
import { VendorError } from "../../ports/vendor-error.ts";

const NO_METHOD = { status: 200, body: { error: { code: -32601, message: "no such method" } } };
/** Of a network on which an operation costs more than the paymaster has. */
const FEE = "0xfffffffffffffff";
const HASH = `0x${"ab".repeat(32)}`;
const FALSE_LOG = {
  ...{ address: ENTRY_POINT, blockHash: HASH, removed: false },
  data: `0x${"0".repeat(64)}${"1".padStart(64, "0")}${"0".repeat(128)}`,
};
const AGGREGATE = { abi: multicall3Abi, functionName: "aggregate3" } as const;
const bundlerError = (failure: "unavailable" | "unknown") =>
  new VendorError(failure, { vendor: "pimlico", operation: "test" });

/** A bundler that takes an operation and loses it. */
const lose =
  (sent: string[] = []) =>
  async (operation: string) => {
    sent.push(operation);
    throw bundlerError("unknown");
  };

describe("a live payment", () => {
  const live = useLivePayments();
  const { harness, base } = live;

  beforeEach(() => live.prepare());

  it("is queued at once, and confirmed when a final block contains it; the first one deploys the account", async () => {
    const { payer, wallet } = await live.seedPayer();
    const to = randomAddress();

    const sent = await payer.pay({ amount: "5.00", to });

    expect(sent).toMatchObject({
      status: 200,
      body: {
        ...{ status: "queued", paid_amount: null, onchain: null, receipt: null, expires_at: null },
        fees: [{ type: "network", amount: "0.00", sponsored: true }],
      },
    });
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 5_000_000n });
    await live.run(payer);
    const { body } = await payer.read(sent.body.payment_id);
    expect(body).toMatchObject({
      ...{ status: "confirmed", paid_amount: "5.00", failure: null },
      onchain: {
        user_op_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        ...{ nonce_key: "0x0", block_number: expect.any(Number), confirmations: 1 },
      },
      receipt: { payment_id: sent.body.payment_id, alg: "ed25519" },
    });
    expect(await base.balanceOf(to)).toBe(5_000_000n);
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
    expect(await payer.balance()).toEqual({ total: 95_000_000n, held: 0n });
    const shown = (await payer.tenant.get(`/wallets/${wallet.wallet_id}`)).body;
    expect(shown).toMatchObject({ deployment_status: "deployed", deployment_tx: body.onchain.tx_hash });
    expect((await eventsOf(harness.app, sent.body.payment_id)).map(({ type }) => type)).toEqual([
      "payment.queued",
      "payment.submitted",
      "payment.confirmed",
    ]);
    expect((await auditOf(harness.app, sent.body.payment_id)).map(({ action }) => action)).toEqual([
      "payment.queued",
      "payment.signing",
      "payment.submitted",
      "payment.confirmed",
    ]);
  });

  it("eight at once are sent in eight lanes once the account is deployed, and only one before", async () => {
    const { payer, wallet } = await live.seedPayer();
    await Promise.all(Array.from({ length: 9 }, () => payer.pay({ amount: "1.00" })));

    await live.run(payer);
    expect(await payer.statuses()).toEqual({ queued: 8, confirmed: 1 });
    await live.run(payer);

    expect(await payer.statuses()).toEqual({ confirmed: 9 });
    expect(await base.balanceOf(wallet.address)).toBe(91_000_000n);
    const keys = (await payer.operations()).map(({ lane }) => lane);
    expect(keys.toSorted()).toEqual([0, 0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("captures a part of an authorization, and releases the rest", async () => {
    const { payer, wallet } = await live.seedPayer();
    const { body: authorized } = await payer.pay({ amount: "10.00", execution: "authorize_only" });
    expect(authorized).toMatchObject({ status: "authorized", onchain: null });

    const captured = await payer.post(`/payments/${authorized.payment_id}/capture`, { amount: "4.50" });

    expect(captured).toMatchObject({ status: 200, body: { status: "queued", expires_at: null } });
    expect(await payer.post(`/payments/${authorized.payment_id}/capture`)).toMatchObject({ status: 409 });
    await live.run(payer);
    expect((await payer.read(authorized.payment_id)).body).toMatchObject({ status: "captured", paid_amount: "4.50" });
    expect(await base.balanceOf(wallet.address)).toBe(95_500_000n);
    expect(await payer.balance()).toEqual({ total: 95_500_000n, held: 0n });
  });

  it("that a person approves is queued then, and confirmed", async () => {
    const rules = [{ id: "ask", effect: "require_approval", operation: "payment" }];
    const { payer } = await live.seedPayer({ rules });
    const { status, body } = await payer.pay();
    expect([status, body.status]).toEqual([202, "requires_approval"]);
    expect((await payer.balance()).held).toBe(0n);

    const approver = await harness.seedKey(payer.tenantId, { scopes: ["approvals:write"] });
    const approved = await approver.post(`/approvals/${body.approval.approval_id}/approve`, {});

    expect(approved.status).toBe(200);
    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "queued", expires_at: null });
    await live.run(payer);
    expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
  });

  it("to a wallet of the same account is a deposit there, and cannot be refunded", async () => {
    const { payer } = await live.seedPayer();
    const payee = await createWallet(payer.tenant);
    const { body: sent } = await payer.pay({ to: payee.wallet_id });
    expect(sent.to).toMatchObject({ wallet_id: payee.wallet_id, address: payee.address });

    await live.run(payer);

    const { body } = await payer.tenant.get(`/wallets/${payee.wallet_id}/activity`);
    expect(body.data).toMatchObject([{ type: "deposit", status: "confirmed", amount: "5.00" }]);
    expect((await payer.tenant.get(`/wallets/${payee.wallet_id}`)).body.balances[0].available).toBe("5.00");
    const refund = await payer.tenant.post(
      `/payments/${sent.payment_id}/refund`,
      {},
      {
        headers: { "x-agent-id": payee.agent_id, "idempotency-key": randomUUID() },
      },
    );
    expect(refund).toMatchObject({ status: 409, body: { code: "not_refundable" } });
  });

  it("fails without a transaction if it exceeds what the account may transfer on a day", async () => {
    const { payer, wallet } = await live.seedPayer({ amountMicros: 20_000_000_000n });
    const { body: sent } = await payer.pay({ amount: "10000.01" });

    await live.run(payer);

    expect((await payer.read(sent.payment_id)).body).toMatchObject({
      ...{ status: "failed", onchain: null, failure: { code: "wallet_limit_exceeded" } },
    });
    expect(await payer.balance()).toEqual({ total: 20_000_000_000n, held: 0n });
    const { body: undeployed } = await payer.tenant.get(`/wallets/${wallet.wallet_id}`);
    expect(undeployed.deployment_status).toBe("counterfactual");
    const { body: next } = await payer.pay({ amount: "10000.00" });
    await live.run(payer);
    expect((await payer.read(next.payment_id)).body.status).toBe("confirmed");
  });

  it("is rehearsed: it fails before anyone gets it if the network would not execute it", async () => {
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    await live.run(payer);
    await base.take(wallet.address, 93_000_000n);
    const { body: sent } = await payer.pay();

    await live.run(payer);

    expect((await payer.read(sent.payment_id)).body).toMatchObject({
      ...{ status: "failed", failure: { code: "would_revert" } },
    });
    expect(await payer.operations()).toMatchObject([{}, { outcome: "not_sent", signedOperation: null }]);
  });

  it("that is executed and fails ends as failed, although its transaction succeeds", async () => {
    const { payer, wallet } = await live.seedPayer();
    await payer.pay();
    await live.run(payer);
    for (const node of base.nodes)
      node.intercept(({ method }) => (method === "eth_simulateV1" ? NO_METHOD : undefined));
    const { body: sent } = await payer.pay();
    live.changeBundler(({ sendOperation }) => ({
      sendOperation: async (operation) => {
        await base.take(wallet.address, 93_000_000n);
        return sendOperation(operation);
      },
    }));

    await live.run(payer);

    const { body } = await payer.read(sent.payment_id);
    expect(body).toMatchObject({ status: "failed", paid_amount: null, failure: { code: "reverted" }, receipt: null });
    const { status } = await base.local.publicClient.getTransactionReceipt({ hash: body.onchain.tx_hash });
    expect(status).toBe("success");
    expect((await payer.balance()).held).toBe(0n);
  });

  it.each([
    ["is down", async () => Promise.reject(bundlerError("unavailable"))],
    [
      "has no paymaster with a deposit",
      async () => {
        for (const node of base.nodes) {
          node.interceptResult("eth_feeHistory", (history) => ({ ...Object(history), baseFeePerGas: [FEE] }));
        }
        return { maxFeePerGas: 10n ** 20n, maxPriorityFeePerGas: 1n };
      },
    ],
  ])("stays queued while the bundler %s, can be canceled, and goes on later", async (_what, readGasPrice) => {
    const { payer } = await live.seedPayer();
    const { body: first } = await payer.pay();
    const { body: second } = await payer.pay();
    live.changeBundler(() => ({ readGasPrice }));

    await expect(live.send(payer)).rejects.toMatchObject({ failure: "unavailable" });
    expect(await payer.statuses()).toEqual({ queued: 2 });
    const canceled = await payer.post(`/payments/${first.payment_id}/cancel`);
    expect(canceled).toMatchObject({ status: 200, body: { status: "canceled" } });
    expect((await payer.balance()).held).toBe(5_000_000n);

    live.changeBundler(() => ({}));
    for (const node of base.nodes) node.reset();
    await live.run(payer);
    expect((await payer.read(second.payment_id)).body.status).toBe("confirmed");
  });

  it("that the bundler lost is sent again after 15 seconds, with the same bytes, and paid once", async () => {
    const { payer, wallet } = await live.seedPayer();
    const sent: string[] = [];
    live.changeBundler(() => ({ sendOperation: lose(sent) }));
    const { body } = await payer.pay();
    await live.send(payer);
    expect((await payer.read(body.payment_id)).body.status).toBe("submitted");
    expect(await payer.post(`/payments/${body.payment_id}/cancel`)).toMatchObject({ status: 409 });
    await live.send(payer);
    expect(sent).toHaveLength(1);

    harness.clock.advanceSeconds(15);
    live.changeBundler(({ sendOperation }) => ({
      sendOperation: (operation) => {
        sent.push(operation);
        return sendOperation(operation);
      },
    }));
    await live.run(payer);

    expect(sent).toHaveLength(2);
    expect(sent[1]).toBe(sent[0]);
    expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
    expect(await base.balanceOf(wallet.address)).toBe(95_000_000n);
  });

  it("that a bundler refuses is kept until a final block is later than its last second, then dropped", async () => {
    const { payer } = await live.seedPayer();
    live.changeBundler(() => ({ sendOperation: lose() }));
    const { body } = await payer.pay();
    await live.send(payer);
    await base.local.testClient.increaseTime({ seconds: 590 });
    await base.mine(1);
    await live.watch();
    expect((await payer.read(body.payment_id)).body.status).toBe("submitted");
    expect((await payer.balance()).held).toBe(5_000_000n);

    await base.local.testClient.increaseTime({ seconds: 11 });
    await base.mine(1);
    await live.watch();

    expect((await payer.read(body.payment_id)).body).toMatchObject({ status: "dropped", failure: { code: "expired" } });
    expect((await payer.tenant.get(`/wallets/${payer.walletId}`)).body.deployment_status).toBe("failed");
    expect((await eventsOf(harness.app, payer.walletId)).at(-1)?.type).toBe("wallet.deployment_failed");
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
  });

  it("whose nonce another operation has used is dropped", async () => {
    const { payer } = await live.seedPayer();
    live.changeBundler(() => ({ sendOperation: lose() }));
    const { body } = await payer.pay();
    await live.send(payer);
    await live.useNonce(payer, 0);
    await base.mine(1);
    await live.watch();

    expect((await payer.read(body.payment_id)).body).toMatchObject({
      status: "dropped",
      failure: { code: "replaced" },
    });
    expect((await payer.balance()).held).toBe(0n);
  });

  it("is not believed to be paid because of a false event, and not to be lost because of a false nonce", async () => {
    const { payer } = await live.seedPayer();
    live.changeBundler(() => ({ sendOperation: lose() }));
    const { body } = await payer.pay();
    await live.send(payer);
    const [operation] = await payer.operations();
    const lie = (log: object) => [{ ...FALSE_LOG, ...log, blockNumber: "0x1", transactionHash: HASH }];
    base.nodes[0]?.interceptResult("eth_getLogs", (logs, [filter]) => {
      const isAboutOperations = Object(filter).topics[0] === USER_OPERATION_EVENT;
      return isAboutOperations ? lie({ topics: [USER_OPERATION_EVENT, operation?.userOpHash, HASH, HASH] }) : logs;
    });
    await base.mine(1);
    await live.watch();
    expect((await payer.read(body.payment_id)).body.status).toBe("submitted");
    for (const node of base.nodes) node.reset();
    base.nodes[0]?.interceptResult("eth_call", (result) => {
      const results = decodeFunctionResult({ ...AGGREGATE, data: result as `0x${string}` });
      return encodeFunctionResult({
        ...AGGREGATE,
        result: results.map(({ success }) => ({ success, returnData: numberToHex(9, { size: 32 }) })),
      });
    });
    await base.mine(1);
    await live.watch();
    expect((await payer.read(body.payment_id)).body.status).toBe("submitted");
    expect((await payer.balance()).held).toBe(5_000_000n);
  });

  it("enters no signing after a freeze, and what was signed but not sent is dropped", async () => {
    const { payer, wallet } = await live.seedPayer();
    const { body: queued } = await payer.pay();
    await payer.tenant.post(`/wallets/${wallet.wallet_id}/freeze`, { reason: "anomaly" });
    await live.send(payer);
    expect((await payer.read(queued.payment_id)).body).toMatchObject({
      ...{ status: "canceled", failure: { code: "wallet_frozen" } },
    });
    await payer.tenant.post(`/wallets/${wallet.wallet_id}/unfreeze`, {
      note: "false alarm",
      review_reference: "review-3",
    });

    const { body: signing } = await payer.pay();
    live.changeBundler(({ estimatePreVerificationGas }) => ({
      estimatePreVerificationGas: async (operation) => {
        await payer.tenant.post(`/wallets/${wallet.wallet_id}/freeze`, { reason: "anomaly" });
        await payer.tenant.post(`/wallets/${wallet.wallet_id}/unfreeze`, {
          note: "false alarm",
          review_reference: "review-3",
        });
        return estimatePreVerificationGas(operation);
      },
      sendOperation: () => Promise.reject(new Error("nothing is sent")),
    }));
    await live.send(payer);

    expect((await payer.read(signing.payment_id)).body).toMatchObject({
      status: "dropped",
      failure: { code: "frozen" },
    });
    expect(await payer.balance()).toEqual({ total: 100_000_000n, held: 0n });
  });

  it("of a stopped agent is canceled", async () => {
    const { payer } = await live.seedPayer();
    const { body } = await payer.pay();
    await payer.tenant.post(`/agents/${payer.agentId}/suspend`, {});

    await live.send(payer);

    expect((await payer.read(body.payment_id)).body.status).toBe("canceled");
    expect((await payer.balance()).held).toBe(0n);
  });

  it("fails if the account has another signer than the wallet's key, with an alarm", async () => {
    const { payer } = await live.seedPayer();
    await payer.pay();
    await live.run(payer);
    const { body } = await payer.pay();
    await live.changeSigner(payer);

    await live.run(payer);

    expect((await payer.read(body.payment_id)).body).toMatchObject({
      status: "failed",
      failure: { code: "account_changed" },
    });
    expect(harness.logLines.join()).toContain("operator action required");
  });

  it("503 while no node of the network answers, nothing is stored; simulate and a repeated request answer", async () => {
    const { payer } = await live.seedPayer();
    const key = { headers: { "x-agent-id": payer.agentId, "idempotency-key": randomUUID() } };
    const order = { agent_id: payer.agentId, amount: "1.00", to: randomAddress() };
    const sent = await payer.tenant.post("/payments/send", order, key);
    for (const node of base.nodes) node.intercept(() => ({ status: 500, body: {} }));
    harness.clock.advanceSeconds(10);

    expect(await payer.pay()).toMatchObject({ status: 503, body: { code: "network_unavailable" } });
    expect(await payer.post("/payments/simulate", order)).toMatchObject({ status: 200, body: { outcome: "allow" } });
    expect(await payer.tenant.post("/payments/send", order, key)).toMatchObject({ status: 200, body: sent.body });
    expect(await payer.statuses()).toEqual({ queued: 1 });
  });

  it("409 without keys of a bundler for the network, nothing is held; the developer's own keys are used", async () => {
    const { payer } = await live.seedPayer();
    const { bundlers } = harness.app;
    const { operatorKey, open } = bundlers;
    const used: string[] = [];
    const save = (chains: readonly string[]) =>
      payer.tenant.put("/developers/provider-keys/pimlico", {
        ...{ credentials: { api_key: "sandbox-own-key", chains }, verify: "skip" },
      });
    try {
      Object.assign(bundlers, {
        operatorKey: null,
        open: (access: Parameters<typeof open>[0]) => {
          used.push(access.apiKey);
          return open(access);
        },
      });
      const missing = { status: 409, body: { code: "provider_not_configured" } };
      expect(await payer.pay()).toMatchObject(missing);
      expect((await save(["polygon"])).status).toBe(200);
      expect(await payer.pay()).toMatchObject(missing);
      expect((await payer.balance()).held).toBe(0n);

      expect((await save(["base"])).status).toBe(200);
      const { body } = await payer.pay();
      await live.run(payer);

      expect((await payer.read(body.payment_id)).body.status).toBe("confirmed");
      expect(new Set(used)).toEqual(new Set(["sandbox-own-key"]));
    } finally {
      Object.assign(bundlers, { operatorKey, open });
    }
  });

  it("422 for other tokens than USDC", async () => {
    const { payer } = await live.seedPayer();
    expect(await payer.pay({ token: "USDT" })).toMatchObject({
      ...{ status: 422, body: { errors: [{ pointer: "/body/token" }] } },
    });
  });

  it("100 requests with the same key make one operation", async () => {
    const { payer } = await live.seedPayer();
    const order = { agent_id: payer.agentId, amount: "1.00", to: randomAddress() };
    const key = { headers: { "x-agent-id": payer.agentId, "idempotency-key": randomUUID() } };
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => payer.tenant.post("/payments/send", order, key)),
    );
    await Promise.all(Array.from({ length: 5 }, () => live.run(payer)));

    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await payer.operations()).toHaveLength(1);
    expect((await payer.balance()).total).toBe(99_000_000n);
  });

  it("an account is deployed at once if the wallet is created so", async () => {
    const { payer } = await live.seedPayer();
    const wallet = await createWallet(payer.tenant, { deploy: "immediate" });
    expect(wallet).toMatchObject({ deployment_status: "deploying", deployment_tx: null });

    await live.run({ tenantId: payer.tenantId, walletId: wallet.wallet_id });

    const { body } = await payer.tenant.get(`/wallets/${wallet.wallet_id}`);
    expect(body).toMatchObject({ deployment_status: "deployed", deployment_tx: expect.stringMatching(/^0x/) });
    const code = await base.local.publicClient.getCode({ address: body.address });
    expect(code).toMatch(/^0x/);
    expect((await eventsOf(harness.app, wallet.wallet_id)).map(({ type }) => type)).toContain("wallet.deployed");
  });
});
