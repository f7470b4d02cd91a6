import { describe, expect, it, vi } from "vitest";
import { banksOf, HOLDER } from "../../../../test/fiat/banks.ts";
import { useHarness } from "../../../../test/harness.ts";
import { asSuperuser, eventsOf } from "../../../../test/project-seeds.ts";
import { runDueWork } from "../../../due-work/run-due-work.ts";
import { applyVendorEvents } from "../../../workflows/apply-vendor-events.ts";

describe("bank accounts", () => {
  const harness = useHarness({ vendors: true });
  const banks = banksOf(harness);

  async function seed(mode: "live" | "test" = "test") {
    const tenant = await harness.seedTenant({ mode });
    const { body } = await banks.linkBank(tenant);
    await banks.advance();
    const { account_id: accountId } = body.account;
    return { tenant, accountId, path: `/fiat/accounts/${accountId}` };
  }

  function rows(statement: string): Promise<Record<string, unknown>[]> {
    return asSuperuser(harness.database.superuserUrl, async (client) => (await client.query(statement)).rows);
  }

  const calls = (vendor: "plaid" | "bridge", name: string) =>
    harness.sandbox.requests(vendor).filter(({ operation }) => operation === name).length;

  it("DELETE 200: the personal data is destroyed at once, the rest when the vendors have removed the account", async () => {
    const { tenant, accountId, path } = await seed();
    const record = `select holder_sealed is null as forgotten from pii.bank_records where account_id = '${accountId}'`;
    const before = { item: calls("plaid", "itemRemove"), account: calls("bridge", "deleteExternalAccount") };

    const { status, body } = await tenant.delete(path);

    expect([status, body.status]).toEqual([200, "removed"]);
    expect(await rows(record)).toEqual([{ forgotten: true }]);
    await banks.advance();
    expect(await rows(record)).toEqual([]);
    expect(await rows(`select 1 from pii.tenant_data_keys where tenant_id like '${tenant.tenantId}.%'`)).toEqual([]);
    expect(calls("plaid", "itemRemove")).toBe(before.item + 1);
    expect(calls("bridge", "deleteExternalAccount")).toBe(before.account + 1);
    for (const answer of [await tenant.get(path), await tenant.delete(path)]) {
      expect([answer.status, answer.body.code]).toEqual([404, "fiat_account_not_found"]);
    }
  });

  it("the key of one account of several stays, until the last is removed", async () => {
    const { tenant, path } = await seed();
    const other = (await banks.linkBank(tenant)).body.account.account_id;

    await tenant.delete(path);
    await banks.advance();

    const keys = `select 1 from pii.tenant_data_keys where tenant_id like '${tenant.tenantId}.%'`;
    expect(await rows(keys)).toHaveLength(1);
    await tenant.delete(`/fiat/accounts/${other}`);
    await banks.advance();
    expect(await rows(keys)).toHaveLength(0);
  });

  it("Plaid is down: the access token is destroyed after a day at the latest", async () => {
    const { tenant, accountId, path } = await seed();
    await tenant.delete(path);
    harness.sandbox.force({ vendor: "plaid", operation: "itemRemove", outcome: "rate_limited", times: 100 });

    for (let hour = 0; hour <= 25; hour += 1) {
      await banks.advance();
      harness.clock.advanceSeconds(3_600);
    }
    harness.sandbox.force({ vendor: "plaid", operation: "itemRemove", outcome: "ok" });

    expect(await rows(`select 1 from pii.bank_records where account_id = '${accountId}'`)).toEqual([]);
  });

  it("404: another tenant's account, and one of the other mode, answer exactly as one that does not exist", async () => {
    const { tenant, path } = await seed();
    const live = await harness.seedKey(tenant.tenantId, { mode: "live" });
    const foreign = await harness.seedTenant({ mode: "test" });
    const detailOf = async (
      answer: Promise<{ readonly status: number; readonly body: { readonly detail: string } }>,
    ) => {
      const { status, body } = await answer;
      return [status, body.detail];
    };
    const missing = await detailOf(foreign.get("/fiat/accounts/ba_01k3z5qexrf1xv2hj4nb9c8w7d"));

    for (const caller of [live, foreign]) {
      expect(await detailOf(caller.get(path))).toEqual(missing);
      expect(await detailOf(caller.delete(path))).toEqual(missing);
      const link = caller.post("/fiat/link-account", { account_id: path.split("/").at(-1) });
      expect(await detailOf(link)).toEqual(missing);
    }
    expect((await foreign.get("/fiat/accounts/none")).status).toBe(404);
    expect((await tenant.get(path)).status).toBe(200);
  });

  it("a login that expired is reported, and repaired by linking again", async () => {
    const { tenant, accountId, path } = await seed();
    // Those of earlier tests are too old to be accepted.
    harness.webhooks.length = 0;
    await banks.expireLogin({ tenantId: tenant.tenantId, mode: "test" }, accountId);
    await reportAndRead();

    expect((await tenant.get(path)).body).toMatchObject({
      status: "relink_required",
      capabilities: [],
      relink_required_at: harness.clock.now().toISOString(),
    });
    const { body } = await tenant.post("/fiat/link-account", { account_id: accountId });
    await banks.visit(body.link_token, { user: "repair" });
    await reportAndRead();

    expect((await tenant.get(path)).body).toMatchObject({ status: "verified", relink_required_at: null });
    const events = await eventsOf(harness.app, accountId);
    expect(events.map(({ type }) => type)).toEqual([
      "fiat_account.verified",
      "fiat_account.relink_required",
      "fiat_account.verified",
    ]);
  });

  /** Delivers the vendors' webhooks and applies what they report. */
  async function reportAndRead() {
    await vi.waitFor(() => expect(harness.webhooks).not.toHaveLength(0), 15_000);
    for (const webhook of harness.webhooks.splice(0)) {
      expect((await harness.deliver(webhook)).status).toBe(200);
    }
    await runDueWork(harness.app, applyVendorEvents);
    await banks.advance();
  }

  it.each([
    ["account_id with another field", { account_id: "ba_1", webhook_ref: "x" }, "/body/webhook_ref"],
    ["an http redirect", { redirect_uri: "http://example.com/back" }, "/body/redirect_uri"],
    ["another country", { country_codes: ["GB"] }, "/body/country_codes/0"],
    ["no subtypes", { account_subtypes: [] }, "/body/account_subtypes"],
    ["an unknown field", { products: ["auth"] }, "/body/products"],
  ])("422: %s", async (_what, body, pointer) => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const answer = await tenant.post("/fiat/link-account", body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });

  it.each([
    ["a short street", { ...HOLDER, address: { ...HOLDER.address, line1: "1" } }, "/body/account_holder/address/line1"],
    ["a phone number without +", { ...HOLDER, phone: "4155550100" }, "/body/account_holder/phone"],
    ["an address that is none", { ...HOLDER, email: "ada" }, "/body/account_holder/email"],
  ])("422: %s", async (_what, account_holder, pointer) => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const body = { public_token: "public-sandbox-1", account_id: "one", account_holder };
    const answer = await tenant.post("/fiat/verify-account", body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});

describe("bank accounts without a Plaid account", () => {
  const harness = useHarness();

  it("409: link-account and verify-account; the response says whom to ask", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.post("/fiat/link-account", {});

    expect([status, body.code]).toEqual([409, "provider_not_configured"]);
    expect(body.next_action).toEqual({ type: "contact_operator", actor: "human" });
  });
});

describe("bank accounts where a verified business is required", () => {
  const harness = useHarness({ vendors: true, settings: { kybRequiredFor: ["fiat"] } });

  it("403 kyb_required: in live mode, until the business is verified, also for requests that would be 404 or 422", async () => {
    const live = await harness.seedTenant();
    const test = await harness.seedTenant({ mode: "test" });
    const verify = { public_token: "public-production-1", account_id: "one" };

    for (const answer of [await live.post("/fiat/link-account", {}), await live.post("/fiat/verify-account", verify)]) {
      expect([answer.status, answer.body.code]).toEqual([403, "kyb_required"]);
      const url = `${harness.app.settings.publicUrl}/dashboard/settings/kyb`;
      expect(answer.body.next_action).toEqual({ type: "complete_kyb", actor: "human", url });
    }
    expect((await live.get("/fiat/accounts")).status).toBe(200);
    expect((await test.post("/fiat/link-account", {})).status).toBe(200);
    await asSuperuser(harness.database.superuserUrl, (client) =>
      client.query(`update developers set kyb_status = 'verified' where tenant_id = '${live.tenantId}'`),
    );
    expect((await live.post("/fiat/link-account", {})).status).toBe(200);
  });
});
