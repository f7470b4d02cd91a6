import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { freezesOf } from "../../../../../test/wallets/frozen-wallet.ts";
import { requestSignature, sha256Hex } from "../../../../crypto/signing.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { SCOPES } from "../../../../foundation/vocabulary.ts";

const ANOMALY = { reason: "anomaly" };

describe("POST /wallets/{wallet_id}/unfreeze", () => {
  const harness = useHarness();
  const { arrange, rowOf, stateOf, historyOf, countsOf } = freezesOf(harness);

  async function arrangeFrozen(options?: Parameters<typeof arrange>[0]) {
    const wallet = await arrange(options);
    await wallet.tenant.post(`${wallet.path}/freeze`, ANOMALY);
    return wallet;
  }

  it("204: the wallet is active, with an entry, an event and its history", async () => {
    const wallet = await arrangeFrozen();
    const { tenant, walletId, path } = wallet;
    harness.clock.advanceSeconds(5);

    const { status, text } = await tenant.post(`${path}/unfreeze`, {
      note: "false alarm",
      review_reference: "review-3",
    });

    expect([status, text]).toEqual([204, ""]);
    expect(await stateOf(wallet)).toEqual(["active", null, null, null]);
    expect(await rowOf(wallet)).toMatchObject({
      epoch: 1,
      freezeReason: null,
      frozenBy: null,
      frozenAt: null,
    });
    const [, row] = await historyOf(wallet);
    expect(row).toMatchObject({
      action: "unfreeze",
      freezeMode: "full",
      source: "developer",
      reason: null,
      note: "false alarm",
      reference: "review-3",
      createdAt: harness.clock.now(),
    });
    const [, entry] = await auditOf(harness.app, walletId);
    expect(entry).toMatchObject({
      action: "wallet.unfrozen",
      facts: { previous_reason: "anomaly", review_reference: "review-3" },
    });
    const [, event] = await eventsOf(harness.app, walletId);
    expect(event).toMatchObject({
      type: "wallet.unfrozen",
      data: { status: "active", freeze: { database: { frozen: false }, reason: null } },
    });
  });

  it("204: accepts the reason and the reference that a freeze accepts, and keeps both", async () => {
    const wallet = await arrangeFrozen();
    const body = { reason: "anomaly", reference: "case-1" };

    expect((await wallet.tenant.post(`${wallet.path}/unfreeze`, body)).status).toBe(204);

    expect((await historyOf(wallet)).at(-1)).toMatchObject({ action: "unfreeze", ...body });
    const again = { reason: "anomaly", review_reference: "review-4" };
    expect((await wallet.tenant.post(`${wallet.path}/freeze`, again)).status).toBe(204);
    expect((await historyOf(wallet)).at(-1)).toMatchObject({ reference: "review-4" });
  });

  it("204 without an entry: the wallet is not frozen", async () => {
    const wallet = await arrange();

    expect((await wallet.tenant.post(`${wallet.path}/unfreeze`)).status).toBe(204);

    expect(await countsOf(wallet)).toEqual([0, 0, 0]);
  });

  it("204: a simulated freeze on the chain is lifted too", async () => {
    const wallet = await arrange();
    await wallet.tenant.post(`${wallet.path}/freeze-on-chain`, ANOMALY);

    await wallet.tenant.post(`${wallet.path}/unfreeze`, {});

    expect(await rowOf(wallet)).toMatchObject({ status: "active", onchainFreeze: "not_frozen" });
  });

  it("204: the wallet of a suspended agent stays stopped", async () => {
    const wallet = await arrangeFrozen();
    const { tenant, agentId, path, walletId } = wallet;
    await tenant.post(`/agents/${agentId}/suspend`);

    expect((await tenant.post(`${path}/unfreeze`)).status).toBe(204);

    const accounts = await harness.app.db
      .selectFrom("ledgerAccounts")
      .select(["frozen", "stopped"])
      .where("subjectId", "=", walletId)
      .execute();
    expect(new Set(accounts.map((row) => JSON.stringify(row)))).toEqual(new Set(['{"frozen":null,"stopped":true}']));
  });

  it("204: in live mode, if the wallet is only frozen in the database", async () => {
    const wallet = await arrangeFrozen({ mode: "live" });

    expect((await wallet.tenant.post(`${wallet.path}/unfreeze`)).status).toBe(204);

    expect((await stateOf(wallet))[0]).toBe("active");
  });

  it.each(["pending", "confirmed", "failed", "unfreeze_pending"] as const)(
    "503: a live wallet whose freeze on the chain is %s stays frozen while its network cannot be used",
    async (onchainFreeze) => {
      const wallet = await arrangeFrozen({ mode: "live" });
      await withTransaction(harness.app.db, wallet.tenantId, (tx) =>
        tx.updateTable("wallets").set({ onchainFreeze }).where("walletId", "=", wallet.walletId).execute(),
      );

      const options = { headers: { "idempotency-key": randomUUID() } };
      const { status, body, headers } = await wallet.tenant.post(`${wallet.path}/unfreeze`, {}, options);

      expect([status, body.code]).toEqual([503, "network_unavailable"]);
      expect(headers["retry-after"]).toBeDefined();
      expect(await stateOf(wallet)).toEqual(["unfreezing", "developer", "full", "full"]);
      const again = await wallet.tenant.post(`${wallet.path}/unfreeze`, {}, options);
      expect([again.status, again.body.code]).toEqual([503, "network_unavailable"]);
      expect(await countsOf(wallet)).toEqual([2, 1, 1]);
    },
  );

  it("404: another tenant's wallet answers exactly as one that does not exist", async () => {
    const wallet = await arrangeFrozen();
    const foreign = await harness.seedTenant({ mode: "test", scopes: SCOPES });

    const answers = [
      await foreign.post(`${wallet.path}/unfreeze`),
      await foreign.post("/wallets/wal_01jz000000000000000000000x/unfreeze"),
    ];

    const bodies = answers.map(({ body }) => ({ ...body, request_id: "" }));
    expect(bodies[0]).toMatchObject({ status: 404, code: "wallet_not_found" });
    expect(bodies[1]).toEqual(bodies[0]);
    expect((await stateOf(wallet))[0]).toBe("frozen");
  });

  it("422: an invalid field", async () => {
    const wallet = await arrangeFrozen();

    for (const body of [{ note: "x".repeat(1_001) }, { review_reference: "a\nb" }, { force: true }]) {
      expect((await wallet.tenant.post(`${wallet.path}/unfreeze`, body)).status).toBe(422);
    }
    expect((await stateOf(wallet))[0]).toBe("frozen");
  });

  describe("a captured request", () => {
    async function capture(wallet: Awaited<ReturnType<typeof arrange>>, key?: string) {
      const { tenant, path } = wallet;
      const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
      const url = `/api/v1/svc${path}/unfreeze`;
      const signature = requestSignature(sha256Hex(tenant.apiSecret), {
        ...{ timestamp, method: "POST", path: url, bodyHash: sha256Hex("") },
      }).toString("hex");
      const headers = key === undefined ? {} : { "idempotency-key": key };
      return (more: Readonly<Record<string, string>> = {}) =>
        tenant.post(`${path}/unfreeze`, undefined, {
          ...{ timestamp, signature, nonce: randomUUID(), headers: { ...headers, ...more } },
        });
    }

    it("409 signature_replayed: does not lift a later freeze", async () => {
      const wallet = await arrangeFrozen();
      const send = await capture(wallet);
      expect((await send()).status).toBe(204);
      await wallet.tenant.post(`${wallet.path}/freeze`, { reason: "suspected_compromise" });

      for (const headers of [{}, { "idempotency-key": randomUUID() }]) {
        expect((await send(headers)).body.code).toBe("signature_replayed");
      }

      expect((await stateOf(wallet))[0]).toBe("frozen");
    });

    it("204: with its Idempotency-Key, it only gets the stored response", async () => {
      const wallet = await arrangeFrozen();
      const send = await capture(wallet, randomUUID());
      await send();
      await wallet.tenant.post(`${wallet.path}/freeze`, { reason: "suspected_compromise" });

      const again = await send();

      expect([again.status, again.text]).toEqual([204, ""]);
      expect(again.headers["idempotent-replayed"]).toBe("true");
      expect((await stateOf(wallet))[0]).toBe("frozen");
    });
  });
});
