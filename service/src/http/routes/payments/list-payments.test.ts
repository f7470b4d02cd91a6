import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";

describe("GET /payments by reference and time", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);

  const idsOf = ({ body }: { readonly body: AnyBody }): string[] =>
    body.data.map(({ payment_id }: AnyBody) => payment_id);

  /** Sends a payment with each reference, a second apart. Returns their ids, and the times of their creation. */
  async function arrange(references: readonly (string | undefined)[]) {
    const payer = await seedPayer(harness);
    const paid: { readonly id: string; readonly at: string }[] = [];
    for (const reference of references) {
      harness.clock.advanceSeconds(1);
      const { body } = await payer.pay({ amount: "0.01", ...(reference !== undefined && { reference }) });
      paid.push({ id: body.payment_id, at: body.created_at });
    }
    const list = (parameters: Readonly<Record<string, string>>) =>
      payer.tenant.get(`/payments?${new URLSearchParams(parameters)}`);
    return { payer, paid, list, ids: paid.map(({ id }) => id) };
  }

  it("200: only payments with exactly the reference, newest first, page by page, of the tenant alone", async () => {
    const { list, ids } = await arrange(["order 7", "order 77", undefined, "order 7", "Order 7"]);
    const other = await arrange(["order 7"]);

    const first = await list({ reference: "order 7", limit: "1" });
    const second = await list({ reference: "order 7", limit: "1", cursor: first.body.next_cursor });

    expect([idsOf(first), idsOf(second), second.body.has_more]).toEqual([[ids[3]], [ids[0]], false]);
    expect(idsOf(await list({ reference: "order" }))).toEqual([]);
    expect(idsOf(await other.list({ reference: "order 7" }))).toEqual(other.ids);
  });

  it("200: from created_after, which is included, to created_before, which is not", async () => {
    const { list, paid, ids } = await arrange(["a", "b", "a", "b"]);
    const [at, to] = [paid[1]?.at ?? "", paid[3]?.at ?? ""];

    expect(idsOf(await list({ created_after: at, created_before: to }))).toEqual([ids[2], ids[1]]);
    expect(idsOf(await list({ created_after: at }))).toEqual([ids[3], ids[2], ids[1]]);
    expect(idsOf(await list({ created_before: at }))).toEqual([ids[0]]);
    const inOtherZone = at.replace(/T(\d\d)/, (_all, hour) => `T${String(Number(hour) + 1).padStart(2, "0")}`);
    expect(idsOf(await list({ created_before: inOtherZone.replace("Z", "+01:00") }))).toEqual([ids[0]]);
    expect(idsOf(await list({ created_after: to, created_before: at }))).toEqual([]);
    const first = await list({ created_after: at, limit: "2" });
    expect(idsOf(await list({ created_after: at, limit: "2", cursor: first.body.next_cursor }))).toEqual([ids[1]]);
  });

  it("200: together with the other filters", async () => {
    const { list, payer, paid, ids } = await arrange(["a", "a", "b"]);
    await query("update payments set status = 'failed' where payment_id = $1", [ids[0]]);
    const reference = "a";

    expect(idsOf(await list({ reference, status: "failed" }))).toEqual([ids[0]]);
    expect(idsOf(await list({ reference, created_after: paid[1]?.at ?? "" }))).toEqual([ids[1]]);
    expect(idsOf(await list({ reference, agent_id: payer.agentId, wallet_id: payer.walletId }))).toHaveLength(2);
    expect(idsOf(await list({ reference, wallet_id: "wal_x" }))).toEqual([]);
    const bound = await harness.seedKey(payer.tenant.tenantId, { mode: "test", agentIds: [payer.agentId] });
    expect(idsOf(await bound.get("/payments?reference=a"))).toHaveLength(2);
  });

  it("422: a time without a zone or that is none, a reference of 201 characters or with NUL", async () => {
    const { list } = await arrange([]);

    for (const parameters of [
      { created_after: "2026-11-21T10:00:00" },
      { created_before: "2026-11-21" },
      { created_before: "2026-13-21T10:00:00Z" },
      { reference: "x".repeat(201) },
      { reference: "\0" },
    ]) {
      expect((await list(parameters)).status).toBe(422);
    }
  });

  it("the database reads no payments of other references and times, also with many of one tenant", async () => {
    const { payer, ids, paid } = await arrange(["order 7"]);
    await query(
      `insert into payments select (jsonb_populate_record(p, jsonb_build_object('payment_id', p.payment_id || '_' || n,
          'reference', 'order_' || n, 'created_at', p.created_at - n * interval '1 minute'))).*
        from payments p, generate_series(1, 5000) n where payment_id = $1`,
      [ids[0]],
    );
    await query("analyze payments");
    const planOf = async (where: string) => {
      const text = `select * from payments where tenant_id = '${payer.tenant.tenantId}' and mode = 'test' and ${where}
        order by created_at desc, payment_id desc limit 21`;
      return JSON.stringify(await query(`explain ${text}`));
    };

    expect(await planOf("reference = 'order_4999'")).toContain("payments_of_reference");
    const at = paid[0]?.at;
    const month = `created_at >= '${at}'::timestamptz - interval '9 days' and created_at < '${at}'::timestamptz - interval '8 days'`;
    const plan = await planOf(month);
    expect(plan).toContain("payments_listed");
    expect(plan).toMatch(/Index Cond: [^}]*created_at >=[^}]*created_at </);
  });
});
