import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { banksOf, HOLDER } from "../../../../test/fiat/banks.ts";
import { useHarness } from "../../../../test/harness.ts";
import { asSuperuser, dumpDatabase, eventsOf } from "../../../../test/project-seeds.ts";
import { withTransaction } from "../../../db/transaction.ts";

const BANK = "First Platypus Bank";

describe("linking a bank account", () => {
  const harness = useHarness({ vendors: true });
  const banks = banksOf(harness);
  const callsTo = (vendor: "plaid" | "bridge", name: string) =>
    harness.sandbox.requests(vendor).filter(({ operation }) => operation === name).length;

  it("200: a link token for the browser; the request can be repeated with its Idempotency-Key", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const headers = { "idempotency-key": "0f0e1c7a-4f6c-4c3c-8f59-0d3cbb3c2f11" };

    const first = await tenant.post("/fiat/link-account", {}, { headers });
    const again = await tenant.post("/fiat/link-account", {}, { headers });

    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      object: "link_token",
      link_token: expect.stringMatching(/^link-sandbox-/),
      expiration: new Date(harness.clock.now().getTime() + 4 * 3_600_000).toISOString(),
      hosted_link_url: null,
      request_id: first.headers["x-request-id"],
    });
    expect(again.body.link_token).toBe(first.body.link_token);
  });

  it("200: a verified account of an approved holder, in live and in test mode", async () => {
    for (const mode of ["live", "test"] as const) {
      const tenant = await harness.seedTenant({ mode });

      const { status, body } = await banks.linkBank(tenant, { link: { webhook_ref: "user-7" } });

      expect(status).toBe(200);
      expect(body).toEqual({
        account: {
          object: "fiat_account",
          account_id: expect.stringMatching(/^ba_/),
          institution_name: BANK,
          name: expect.any(String),
          mask: expect.stringMatching(/^\d{4}$/),
          type: "depository",
          subtype: "checking",
          ...{ currency: "usd", country: "US", status: "verified" },
          verification: { method: "instant", status: "automatically_verified" },
          capabilities: ["ach_push", "ach_credit", "wire"],
          kyc_status: "approved",
          provider: "plaid",
          created_at: harness.clock.now().toISOString(),
          relink_required_at: null,
        },
        kyc: { status: "approved", screening: { sanctions: "clear" }, requirements: {} },
      });
      expect((await tenant.get("/fiat/accounts")).body).toEqual({
        object: "list",
        data: [body.account],
        has_more: false,
      });
      expect((await tenant.get(`/fiat/accounts/${body.account.account_id}`)).body).toEqual(body.account);
      expect(await eventsOf(harness.app, body.account.account_id)).toMatchObject([
        { type: "fiat_account.verified", data: { ...body.account, webhook_ref: "user-7" } },
      ]);
    }
  });

  it("the holder's data comes from the bank where the request has none", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { publicToken, accountIds } = await banks.connect(tenant);

    const { body } = await tenant.post("/fiat/verify-account", {
      public_token: publicToken,
      account_id: accountIds[1],
    });

    expect(body.account).toMatchObject({ subtype: "savings", kyc_status: "approved" });
  });

  it("422 owner_mismatch: the bank knows another owner; nothing is stored, and the login ends at Plaid", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const removals = callsTo("plaid", "itemRemove");

    const { status, body } = await banks.linkBank(tenant, { user: "other_owner" });
    await banks.advance();

    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer: "/body/account_holder/legal_name", code: "owner_mismatch" }]);
    expect((await tenant.get("/fiat/accounts")).body.data).toEqual([]);
    expect(callsTo("plaid", "itemRemove")).toBe(removals + 1);
    expect(await recordsOf(tenant.tenantId)).toEqual([]);
  });

  it("404: a public token of another tenant, which is neither exchanged nor stored", async () => {
    const [own, other] = [await harness.seedTenant({ mode: "test" }), await harness.seedTenant({ mode: "test" })];
    await other.post("/fiat/link-account", {});
    const { publicToken, accountIds } = await banks.connect(own);
    const exchanges = callsTo("plaid", "itemPublicTokenExchange");
    const verify = (tenant: typeof own) =>
      tenant.post("/fiat/verify-account", {
        public_token: publicToken,
        account_id: accountIds[0],
        account_holder: HOLDER,
      });

    const stolen = await verify(other);

    expect([stolen.status, stolen.body.code]).toEqual([404, "bank_link_not_found"]);
    expect(callsTo("plaid", "itemPublicTokenExchange")).toBe(exchanges);
    expect(await recordsOf(other.tenantId)).toEqual([]);
    expect((await verify(own)).status).toBe(200);
  });

  it("404: an unknown or used public token, or an account that the user did not choose", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { publicToken, accountIds } = await banks.connect(tenant, { link: { account_subtypes: ["checking"] } });
    const verify = (public_token: string, account_id: string | undefined) =>
      tenant.post("/fiat/verify-account", { public_token, account_id, account_holder: HOLDER });

    const answers = [
      await verify("public-sandbox-0c2b5b5e-0000-4000-8000-000000000000", accountIds[0]),
      await verify(publicToken, "none"),
    ];
    expect((await verify(publicToken, accountIds[0])).status).toBe(200);
    answers.push(await verify(publicToken, accountIds[0]));

    for (const { status, body } of answers) expect([status, body.code]).toEqual([404, "bank_link_not_found"]);
    expect((await tenant.get("/fiat/accounts")).body.data).toHaveLength(1);
  });

  it("the oldest of more than ten open links is dropped, without an error", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const connected = await banks.connect(tenant);
    const verify = () =>
      tenant.post("/fiat/verify-account", {
        ...{ public_token: connected.publicToken, account_id: connected.accountIds[0], account_holder: HOLDER },
      });

    for (let count = 0; count < 10; count += 1) {
      harness.clock.advanceSeconds(1);
      expect((await tenant.post("/fiat/link-account", {})).status).toBe(200);
    }

    expect((await verify()).body.code).toBe("bank_link_not_found");
  });

  it("200: one of 20 concurrent calls with a public token; the others are 404", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { publicToken, accountIds } = await banks.connect(tenant);
    const body = { public_token: publicToken, account_id: accountIds[0], account_holder: HOLDER };

    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.post("/fiat/verify-account", body)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await tenant.get("/fiat/accounts")).body.data).toHaveLength(1);
  });

  it("503: Plaid does not respond after the exchange; the same request continues", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { publicToken, accountIds } = await banks.connect(tenant);
    const body = { public_token: publicToken, account_id: accountIds[0], account_holder: HOLDER };
    harness.sandbox.force({ vendor: "plaid", operation: "authGet", outcome: "error_applied", times: 1 });

    const failed = await tenant.post("/fiat/verify-account", body);
    const repeated = await tenant.post("/fiat/verify-account", body);

    expect([failed.status, failed.body.code]).toEqual([503, "provider_unavailable"]);
    expect(repeated.status).toBe(200);
  });

  it("what was exchanged and never became an account is removed after an hour", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { publicToken, accountIds } = await banks.connect(tenant);
    harness.sandbox.force({ vendor: "plaid", operation: "authGet", outcome: "error_applied", times: 1 });
    await tenant.post("/fiat/verify-account", { public_token: publicToken, account_id: accountIds[0] });
    expect(await recordsOf(tenant.tenantId)).toHaveLength(1);
    const removals = callsTo("plaid", "itemRemove");

    await banks.advance();
    expect(await recordsOf(tenant.tenantId)).toHaveLength(1);
    harness.clock.advanceSeconds(3_600);
    await banks.advance();

    expect(await recordsOf(tenant.tenantId)).toEqual([]);
    expect(callsTo("plaid", "itemRemove")).toBe(removals + 1);
  });

  it("409: another holder, until the accounts of the first are removed", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const grace = { ...HOLDER, legal_name: "Grace Hopper" };
    const { body } = await banks.linkBank(tenant);

    const refused = await banks.linkBank(tenant, { ownerName: "Grace Hopper" }, grace);
    await tenant.delete(`/fiat/accounts/${body.account.account_id}`);
    await banks.advance();
    const accepted = await banks.linkBank(tenant, { ownerName: "Grace Hopper" }, grace);

    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(accepted.status).toBe(200);
  });

  it.each([
    ["Ada Under Review", { status: "review", screening: { sanctions: "clear" } }],
    ["Ada Hit Listed", { status: "review", screening: { sanctions: "pending" } }],
    ["Ada Hit Rejected", { status: "rejected", screening: { sanctions: "hit" } }],
    ["Ada Rejected", { status: "rejected", screening: { sanctions: "clear" } }],
  ])("200: the holder %s has the KYC status of Plaid and Bridge", async (name, kyc) => {
    const tenant = await harness.seedTenant({ mode: "test" });

    const { body } = await banks.linkBank(tenant, { ownerName: name }, { ...HOLDER, legal_name: name });

    expect(body.kyc).toMatchObject(kyc);
    expect(body.account.kyc_status).toBe(kyc.status);
  });

  it("a holder without an identity gets the pages of Bridge, and is approved after visiting them", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const name = "Ada Not Started";
    const { body } = await banks.linkBank(tenant, { ownerName: name }, { ...HOLDER, legal_name: name });
    const { identity_check, terms } = body.kyc.requirements;
    expect(body.kyc).toMatchObject({ status: "pending", requirements: { terms: { status: "due" } } });

    for (const { url } of [identity_check, terms]) {
      await fetch(url, { method: "POST", body: new URLSearchParams({ decision: "approve" }) });
    }
    harness.clock.advanceSeconds(30);
    await banks.advance();

    const { data } = (await tenant.get("/fiat/accounts")).body;
    expect(data).toMatchObject([{ kyc_status: "approved" }]);
  });

  it("micro-deposits: pending until Plaid has verified them", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const link = { verification_method: "micro_deposit" };
    const { body } = await banks.linkBank(tenant, { user: "micro_deposits", link });
    expect(body.account).toMatchObject({
      status: "pending_verification",
      verification: { method: "micro_deposit", status: "pending" },
      capabilities: [],
    });

    harness.clock.advanceSeconds(60);
    await banks.advance();

    const account = (await tenant.get(`/fiat/accounts/${body.account.account_id}`)).body;
    expect(account).toMatchObject({ status: "verified", verification: { status: "automatically_verified" } });
  });

  it("micro-deposits that no one confirmed in time: the account is disabled, and its owner gets an event", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { body } = await banks.linkBank(tenant, {
      user: "micro_deposits",
      link: { verification_method: "micro_deposit" },
    });
    const item = (await harness.sandbox.objects("plaid")).find(({ state }) => state === "pending_deposits");
    const expired = { vendor: "plaid", type: "AUTH.VERIFICATION_EXPIRED", object_id: item?.id };
    const { status } = await fetch(`${harness.sandbox.url}/api/events`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(expired),
    });
    expect(status).toBe(202);

    harness.clock.advanceSeconds(60);
    await banks.advance();

    const { account_id } = body.account;
    const account = (await tenant.get(`/fiat/accounts/${account_id}`)).body;
    expect(account).toMatchObject({ status: "disabled", verification: { status: "failed" }, capabilities: [] });
    expect(await eventsOf(harness.app, account_id)).toMatchObject([{ type: "fiat_account.disabled", data: account }]);
  });

  it("409: 20 bank accounts are the most", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    await banks.linkBank(tenant);
    await rows(
      `insert into fiat_accounts select (jsonb_populate_record(account, jsonb_build_object('account_id', 'ba_' || n))).*
       from fiat_accounts account, generate_series(1, 19) n where tenant_id = '${tenant.tenantId}'`,
    );

    const { status, body } = await banks.linkBank(tenant);

    expect([status, body.code]).toEqual([409, "conflict"]);
  });

  it("the database has no personal data outside the schema pii; inside, it is encrypted", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { body } = await banks.linkBank(tenant);

    const entries = await rows(`select action, facts from audit_entries where tenant_id = '${tenant.tenantId}'`);
    expect(entries.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["fiat_account.linked", "fiat_customer.kyc_changed"]),
    );
    expect(body.account.mask).toMatch(/^\d{4}$/);
    const dump = await dumpDatabase(harness.database.superuserUrl, ["public", "pii"]);
    const personal = /Lovelace|Byron|bank\.example|011401533|access-(?:sandbox|production)/;
    expect(dump).not.toMatch(personal);
    expect(harness.logLines.join("")).not.toMatch(personal);
  });

  it("the server's role cannot read personal data, and its functions reach only the tenant's own", async () => {
    const [own, other] = [await harness.seedTenant({ mode: "test" }), await harness.seedTenant({ mode: "test" })];
    await banks.linkBank(own);
    const { accountId } = (await recordsOf(own.tenantId))[0] ?? {};
    const asServer = (statement: string) =>
      withTransaction(harness.app.db, other.tenantId, (tx) => sql.raw(statement).execute(tx));

    await expect(asServer("select * from pii.bank_records")).rejects.toThrow("permission denied");
    await expect(asServer("select * from pii.tenant_data_keys")).rejects.toThrow("permission denied");
    const destroy = `select purser_forget_bank_record('${own.tenantId}.test', '${accountId}')`;
    await expect(asServer(destroy)).rejects.toThrow("belongs to another tenant");
    expect(await recordsOf(own.tenantId)).toHaveLength(1);
    expect(await rows(`select from pii.data_key_wrappings where tenant_id like '${own.tenantId}.%'`)).toHaveLength(1);
    const steal = `select purser_store_bank_record('${own.tenantId}.test', 'ba_x', null, '\\x00')`;
    await expect(asServer(steal)).rejects.toThrow();
  });

  function rows(statement: string): Promise<Record<string, unknown>[]> {
    return asSuperuser(harness.database.superuserUrl, async (client) => (await client.query(statement)).rows);
  }

  function recordsOf(tenantId: string) {
    return rows(`select account_id as "accountId" from pii.bank_records where tenant_id like '${tenantId}.%'`);
  }
});
