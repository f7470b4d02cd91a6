import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { useHarness } from "../../../../test/harness.ts";
import { type Payer, seedPayer } from "../../../../test/payments/pay.ts";
import { withTransaction } from "../../../db/transaction.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const DENY = { id: "deny", effect: "deny", operation: "payment" };

describe.each([
  ["of an agent that has paid before", true],
  ["of an agent that has not", false],
])("payments %s, which wait for a lock while something changes that decides about them", (_, hasPaid) => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  /** Sends a payment that waits for the lock of its wallet's account, makes the change, then releases the lock. */
  async function payDuring(payer: Payer, change: () => Promise<unknown>) {
    if (hasPaid) await payer.pay({ amount: "0.01" });
    const before = await payer.balance();
    const locked = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<void>();
    const locking = withTransaction(harness.app.db, payer.tenant.tenantId, async (tx) => {
      await sql`select from ledger_accounts where subject_id = ${payer.walletId} for update`.execute(tx);
      locked.resolve();
      await changed.promise;
    });
    await locked.promise;
    const paying = payer.pay();
    await expect.poll(() => query("select from pg_locks where not granted", []), { interval: 5 }).not.toEqual([]);
    await change();
    changed.resolve();
    await locking;
    const outcome = outcomeOf(await paying);
    expect(await payer.balance()).toEqual(before);
    return outcome;
  }

  async function forbidPayments({ tenant }: Payer) {
    const { data } = (await tenant.get("/policies")).body;
    const [policy] = data.filter(({ rules }: { rules: object[] }) => rules.length === 1);
    const changed = await tenant.patch(`/policies/${policy.policy_id}`, { rules: [DENY] });
    expect(changed.status).toBe(200);
  }

  it("403: a policy that forbids the payment, once its change is acknowledged", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });

    const outcome = await payDuring(payer, () => forbidPayments(payer));

    expect(outcome).toEqual([403, "policy_denied"]);
  });

  it("403: the cap of a project that now has the agent", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const { tenant, agentId } = payer;
    const project = { name: "shop", monthly_cap: "1.00", agent_ids: [agentId] };

    const outcome = await payDuring(payer, () => tenant.post("/projects", project));

    expect(outcome).toEqual([403, "cap_exceeded"]);
  });

  it("409: a policy that changes while a payment waits that reaches half of its project's cap", async () => {
    const payer = await seedPayer(harness, { rules: [ALLOW] });
    const { tenant, agentId } = payer;
    await tenant.post("/projects", { name: "shop", monthly_cap: "6.00", agent_ids: [agentId] });

    const outcome = await payDuring(payer, () => forbidPayments(payer));

    expect(outcome).toEqual([409, "version_conflict"]);
  });
});
