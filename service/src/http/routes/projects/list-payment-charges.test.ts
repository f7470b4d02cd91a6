import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import { seedCharge } from "../../../../test/project-seeds.ts";

describe("payments in the charges of a project", () => {
  const harness = useHarness();
  const { arrange } = paymentsOf(harness);

  async function arrangeProject() {
    const arranged = await arrange({ cap: "500.00" });
    const { tenant, tenantId, projectId } = arranged;
    const list = async (query = "") => (await tenant.get(`/projects/${projectId}/charges${query}`)).body;
    const charge = () =>
      seedCharge(harness.app, {
        tenantId,
        projectId: projectId ?? "",
        mode: "test",
        amountCents: 500n,
      });
    return { ...arranged, list, charge };
  }

  const idsOf = ({ data }: AnyBody): string[] => data.map(({ charge_id }: AnyBody) => charge_id);

  async function pageThrough(list: (query: string) => Promise<AnyBody>, limit: number) {
    const found: string[] = [];
    let page = await list(`?limit=${limit}`);
    found.push(...idsOf(page));
    while (page.next_cursor !== null) {
      page = await list(`?limit=${limit}&cursor=${page.next_cursor}`);
      found.push(...idsOf(page));
    }
    return found;
  }

  it("200: a payment is a charge without a provider, with its status; the cap counts both", async () => {
    const { tenant, projectId, payer, payee, seed, act, list, usage } = await arrangeProject();
    const paid = await seed({ status: "confirmed" });
    const [held, captured, voided, refunded] = [await seed(), await seed(), await seed(), await seed()];
    await act("capture", captured, { amount: "1.234567" });
    await act("void", voided);
    await act("capture", refunded);
    await act("refund", refunded);
    await seed({ status: "requires_approval" });

    const { data } = await list();

    const byId = new Map<string, AnyBody>(data.map((one: AnyBody) => [one.charge_id, one]));
    const summary = [paid, held, captured, voided, refunded].map((id) => {
      const { status, amount } = byId.get(id);
      return `${status} ${amount}`;
    });
    expect([data.length, summary]).toEqual([
      5,
      ["succeeded 10.00", "reserved 10.00", "succeeded 1.234567", "released 10.00", "refunded 10.00"],
    ]);
    expect(byId.get(paid)).toEqual({
      ...{ charge_id: paid, payment_id: paid, service_id: null, provider: null },
      ...{ type: "one_time", description: `Payment to ${payee.address}`, currency: "usd" },
      ...{ amount: "10.00", status: "succeeded", agent_id: payer.agentId, billed_by: null },
      ...{ estimated: false, period_start: "2026-11-01T00:00:00.000Z" },
      period_end: "2026-12-01T00:00:00.000Z",
      occurred_at: harness.clock.now().toISOString(),
    });
    expect(await usage()).toMatchObject({ spent: "11.234567", reserved: "10.00" });
    const { body } = await tenant.get(`/projects/${projectId}/status`);
    expect(idsOf({ data: body.recent_charges })).toEqual(idsOf({ data }));
    expect(body.cap).toMatchObject({ spent: "11.234567" });
  });

  it("200: pages of charges and payments together, newest first; filters by month and provider", async () => {
    const { seed, list, charge } = await arrangeProject();
    const ids: string[] = [];
    for (const seconds of [0, 1, 0, 1, 0, 1]) {
      harness.clock.advanceSeconds(seconds);
      ids.push(await seed({ status: "confirmed", baseUnits: 1n }), await charge());
    }
    const all = idsOf(await list("?limit=100"));
    expect(all.toSorted()).toEqual(ids.toSorted());

    for (const limit of [1, 3, 12]) expect(await pageThrough(list, limit)).toEqual(all);
    expect(idsOf(await list("?period=2026-11&limit=100"))).toEqual(all);
    expect(idsOf(await list("?period=2026-12"))).toEqual([]);
    expect(idsOf(await list("?period=2026-10"))).toEqual([]);
    expect(idsOf(await list("?provider=neon"))).toEqual(all.filter((id) => id.startsWith("ch_")));
  });
});
