import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { seedPaymentsWithoutHolds } from "../../../../../test/payments/seed-payments-without-holds.ts";
import { freezesOf } from "../../../../../test/wallets/frozen-wallet.ts";
import { sha256Hex } from "../../../../crypto/signing.ts";
import { canonicalJson } from "../../../../foundation/canonical-json.ts";

const COMPROMISE = { reason: "suspected_compromise" };

describe("POST /wallets/{wallet_id}/freeze-on-chain", () => {
  const harness = useHarness();
  const { arrange, rowOf, stateOf, countsOf } = freezesOf(harness);

  it("200: in test mode the wallet is frozen, and its freeze on the chain is simulated", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, walletId, path } = wallet;
    const at = harness.clock.now().toISOString();

    const { status, body } = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE);

    expect(status).toBe(200);
    expect(body).toEqual({
      wallet_id: walletId,
      mode: "test",
      status: "frozen",
      freeze: {
        database: { frozen: true },
        onchain: { status: "simulated", tx_hash: null, block_number: null },
        mode: "full",
        reason: "suspected_compromise",
        note: null,
        reference: null,
        frozen_by: { type: "developer", id: tenantId },
        frozen_at: at,
        expires_at: null,
      },
      onchain: { status: "simulated", user_op_hash: null, tx_hash: null, block_number: null },
      blocked: { payments_canceled: 0, user_ops_dropped: 0, user_ops_already_mined: 0 },
      proof: {
        revocation_id: expect.stringMatching(/^rev_/),
        decision_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        signature: expect.any(String),
        alg: "ed25519",
        kid: harness.app.signer.keyId,
      },
    });
    expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
    expect(await rowOf(wallet)).toMatchObject({ onchainFreeze: "simulated", epoch: 1 });
    expect(await countsOf(wallet)).toEqual([1, 1, 1]);
  });

  it("200: the proof is a signature of the rest of the response", async () => {
    const { tenant, path } = await arrange();
    const { body } = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE);
    const { proof, ...report } = body;
    const { revocation_id, decision_hash, signature, kid } = proof;

    expect(sha256Hex(canonicalJson({ ...report, revocation_id }))).toBe(decision_hash);
    const text = `purser-wallet-freeze-v1\n${decision_hash}`;
    expect(harness.app.signer.verify(text, { keyId: kid, signature })).toBe(true);
  });

  it("200: a wallet that is already frozen keeps its freeze, and is then frozen on the chain", async () => {
    const wallet = await arrange();
    const { tenant, path } = wallet;
    await tenant.post(`${path}/freeze`, { reason: "anomaly" });

    const first = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE);
    const second = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE);

    expect(first.body).toMatchObject({
      freeze: { reason: "anomaly" },
      onchain: { status: "simulated" },
    });
    expect(second.body).toMatchObject({ freeze: first.body.freeze, status: "frozen" });
    expect(await rowOf(wallet)).toMatchObject({ epoch: 1 });
    expect(await countsOf(wallet)).toEqual([2, 2, 2]);
  });

  it("200: counts the payments that wait for an approval or a capture and have not expired", async () => {
    const wallet = await arrange();
    const soon = new Date(harness.clock.now().getTime() + 1_000);
    const statuses = ["requires_approval", "authorized", "authorized", "confirmed", "canceled"] as const;
    for (const status of statuses) {
      await seedPaymentsWithoutHolds(harness.app, { ...wallet, status, expiresAt: soon, count: 1 });
    }
    const expired = harness.clock.now();
    await seedPaymentsWithoutHolds(harness.app, {
      ...{ ...wallet, status: "authorized", expiresAt: expired, count: 1 },
    });

    const { body } = await wallet.tenant.post(`${wallet.path}/freeze-on-chain`, COMPROMISE);

    expect(body.blocked).toEqual({
      payments_canceled: 3,
      user_ops_dropped: 0,
      user_ops_already_mined: 0,
    });
  });

  it("200: a repeated Idempotency-Key gets the same bytes, with the same proof", async () => {
    const { tenant, path } = await arrange();
    const options = { headers: { "idempotency-key": randomUUID() } };

    const first = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE, options);
    const second = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE, options);

    expect(second.text).toBe(first.text);
  });

  it("200: a live wallet of a network without a node is frozen in the database, and pending on the chain; repeated calls change nothing", async () => {
    const wallet = await arrange({ mode: "live" });
    const { tenant, path } = wallet;
    const options = { headers: { "idempotency-key": randomUUID() } };

    for (const again of [options, options, {}]) {
      const answer = await tenant.post(`${path}/freeze-on-chain`, COMPROMISE, again);
      expect([answer.status, answer.body.onchain.status]).toEqual([200, "pending"]);
      expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
    }

    expect(await rowOf(wallet)).toMatchObject({ onchainFreeze: "pending", epoch: 1 });
    expect(await countsOf(wallet)).toEqual([1, 1, 1]);
  });
});
