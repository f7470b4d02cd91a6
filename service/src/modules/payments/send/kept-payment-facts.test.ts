import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { type Payer, seedPayer } from "../../../../test/payments/pay.ts";
import { withRoundTrips } from "../../../../test/round-trips.ts";
import { randomAddress, seedWallet } from "../../../../test/wallets/seed-wallet.ts";
import { withTransaction } from "../../../db/transaction.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const DENY = { id: "deny", effect: "deny", operation: "payment" };
const ASK_FOR_NEW = {
  ...{ id: "ask", effect: "require_approval", operation: "payment" },
  when: { payee_first_seen: true },
};

describe("an agent's further payment, after a change of", () => {
  const harness = useHarness();

  /** Changes a column directly, as another process would. */
  const set = (table: string, assignment: string) => async (payer: Payer) => {
    const { tenantId } = payer.tenant;
    await withTransaction(harness.app.db, tenantId, (tx) =>
      sql`update ${sql.table(table)} set ${sql.raw(assignment)} where tenant_id = ${tenantId}`.execute(tx),
    );
  };

  const changes: readonly [string, (payer: Payer) => Promise<unknown>, unknown[]][] = [
    [
      "the agent's status",
      ({ tenant, agentId }) => tenant.post(`/agents/${agentId}/suspend`, { reason: "test" }),
      [403, "agent_suspended"],
    ],
    ["the agent's expiry", set("agents", "expires_at = 'epoch'"), [403, "agent_suspended"]],
    ["the agent's existence", set("agents", "deleted_at = now()"), [404, "agent_not_found"]],
    [
      "the agent's policy",
      async ({ tenant, agentId }) => {
        const { body } = await tenant.post("/policies", { name: "none", rules: [DENY] });
        return tenant.patch(`/agents/${agentId}`, { policy_id: body.policy_id });
      },
      [403, "policy_denied"],
    ],
    [
      "a policy",
      async ({ tenant }) => {
        const { data } = (await tenant.get("/policies")).body;
        for (const { policy_id } of data) await tenant.patch(`/policies/${policy_id}`, { rules: [DENY] });
      },
      [403, "policy_denied"],
    ],
    [
      "policies, by a new one that names the agent",
      ({ tenant, agentId }) =>
        tenant.post("/policies", {
          name: "new",
          rules: [DENY],
          applies_to: { agent_ids: [agentId] },
        }),
      [403, "policy_denied"],
    ],
    [
      "projects, by one that now has the agent",
      ({ tenant, agentId }) => tenant.post("/projects", { name: "shop", monthly_cap: "1.00", agent_ids: [agentId] }),
      [403, "cap_exceeded"],
    ],
    [
      "the wallet, by a freeze",
      ({ tenant, walletId }) => tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" }),
      [403, "wallet_frozen"],
    ],
    [
      "wallets, by a second one of the agent",
      ({ tenant: { tenantId }, agentId }) =>
        seedWallet(harness.app, { ...{ tenantId, agentId, mode: "test" }, network: "polygon" }),
      [422, "validation_error"],
    ],
  ];

  it.each(changes)("%s is decided as it is now", async (_name, change, expected) => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const to = randomAddress();
    expect((await payer.pay({ to, amount: "1.00" })).status).toBe(200);
    const before = await payer.balance();

    await change(payer);

    expect(outcomeOf(await payer.pay({ to }))).toEqual(expected);
    expect(await payer.balance()).toEqual(before);
  });

  it.each([
    ["the developer's verification", set("developers", "kyb_status = 'verified'")],
    [
      "the agent's attestation",
      set("agents", "attested_by = 'https://issuer.example', attested_until = now() + interval '1 day'"),
    ],
    [
      "the agent's keys",
      async ({ tenant: { tenantId }, agentId }: Payer) =>
        withTransaction(harness.app.db, tenantId, (tx) =>
          sql`insert into agent_public_keys values (${tenantId}, 'test', ${agentId}, 'key', 'key', now())`.execute(tx),
        ),
    ],
  ])("%s is decided as it is now, for a policy that asks for it", async (_name, change) => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const first = (await payer.pay()).body;

    await change(payer);

    expect((await payer.pay()).body.decision.kya_level).not.toBe(first.decision.kya_level);
  });

  it("nothing: to the address of a wallet of the account, it pays that wallet", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const payee = await seedPayer(harness, { tenant: payer.tenant, baseUnits: 0n });
    await payer.pay();

    const { status, body } = await payer.pay({ to: payee.address });

    expect([status, body.to.wallet_id]).toEqual([200, payee.walletId]);
    expect(await payee.balance()).toEqual({ total: 5_000_000n, held: 0n });
  });

  it("whom the agent has paid, by another process, is decided as it is now", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW, ASK_FOR_NEW] });
    const [known, other] = [randomAddress(), randomAddress()];
    const { tenantId } = payer.tenant;
    const hasPaid = (address: string) =>
      withTransaction(harness.app.db, tenantId, (tx) =>
        sql`insert into paid_payees values (${tenantId}, 'test', ${payer.agentId}, lower(${address}))`.execute(tx),
      );
    await hasPaid(known);
    expect((await payer.pay({ to: known })).body.status).toBe("confirmed");

    expect((await payer.pay({ to: other })).body.status).toBe("requires_approval");
    await hasPaid(other);
    expect((await payer.pay({ to: other, amount: "1.00" })).body.status).toBe("confirmed");
  });

  it.each(["captured", "a wallet of the account"])(
    "nothing: at most two round trips for an authorization whose payee is %s",
    async (what) => {
      const payer = await seedPayer(harness, { rules: [ALLOW] });
      const payee = await seedPayer(harness, { tenant: payer.tenant });
      const to = what === "captured" ? randomAddress() : payee.address;
      const hold = (amount: string) => payer.pay({ to, amount, execution: "authorize_only" });
      const { body } = await hold("1.00");
      if (what === "captured") await payer.post(`/payments/${body.payment_id}/capture`);
      await hold("2.00");

      const { result, roundTrips } = await withRoundTrips(() => hold("3.00"));

      expect([result.body.status, roundTrips.length <= 2]).toEqual(["authorized", true]);
    },
  );

  it("nothing: one round trip, and 503 after a second if the account is locked", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    await payer.pay();
    const { tenantId } = payer.tenant;

    const [locked, refused] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const locking = withTransaction(harness.app.db, tenantId, async (tx) => {
      await sql`select from ledger_accounts where subject_id = ${payer.walletId} for update`.execute(tx);
      locked.resolve();
      await refused.promise;
    });
    await locked.promise;
    expect(outcomeOf(await payer.pay())).toEqual([503, "service_unavailable"]);
    refused.resolve();
    await locking;

    const { result, roundTrips } = await withRoundTrips(() => payer.pay());
    expect([result.status, roundTrips.length]).toEqual([200, 1]);
  });
});
