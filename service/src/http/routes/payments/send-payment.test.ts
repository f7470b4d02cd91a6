import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedPayer } from "../../../../test/payments/pay.ts";
import { withRoundTrips } from "../../../../test/round-trips.ts";
import { randomAddress, seedWallet } from "../../../../test/wallets/seed-wallet.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };

describe("POST /payments/send", () => {
  const harness = useHarness();

  it("200: pays an address at once, and the receipt is signed", async () => {
    const payer = await seedPayer(harness);
    const to = randomAddress();

    const sent = await payer.pay({ to, purpose: "data", metadata: { order: "7" } });

    expect(sent.status).toBe(200);
    expect(sent.body).toMatchObject({
      object: "payment",
      mode: "test",
      agent_id: payer.agentId,
      wallet_id: payer.walletId,
      network: "base",
      token: "USDC",
      amount: "5.00",
      paid_amount: "5.00",
      to: { type: "address", value: to, address: to, wallet_id: null },
      status: "confirmed",
      decision: { outcome: "allow", rule_id: "allow_payments", kya_level: "none" },
      fees: [{ type: "network", amount: "0.00", sponsored: true }],
      project_id: null,
      purpose: "data",
      metadata: { order: "7" },
      failure: null,
      receipt: { alg: "ed25519" },
    });
    expect(await payer.balance()).toEqual({ total: 995_000_000n, held: 0n });
    const path = `/payments/${sent.body.payment_id}`;
    expect((await payer.tenant.get(path)).body).toEqual(sent.body);
    expect((await payer.tenant.get("/payments")).body.data).toEqual([sent.body]);
  });

  it("two round trips for an agent's first payment, one for each further one, also to a new payee", async () => {
    const payer = await seedPayer(harness);
    // Reads the rules of the policy, which this process then keeps.
    await (await seedPayer(harness, { tenant: payer.tenant })).pay();

    const { result: first, roundTrips } = await withRoundTrips(() => payer.pay());
    const further = await withRoundTrips(() => payer.pay({ to: first.body.to.address, amount: "1.00" }));
    const toNewPayee = await withRoundTrips(() => payer.pay());

    expect([first.status, ...roundTrips]).toEqual([200, "begin select with select", "select select with commit"]);
    for (const { result, roundTrips: one } of [further, toNewPayee]) {
      expect([result.status, ...one]).toEqual([200, "begin select with select select with commit"]);
    }
  });

  it("200: pays a wallet of the account, named by id, agent or address, and the payee gets the amount", async () => {
    const payer = await seedPayer(harness);
    const payee = await seedPayer(harness, { tenant: payer.tenant, baseUnits: 0n });
    const names = [payee.walletId, payee.agentId, payee.address, payee.address.toLowerCase()];

    for (const to of names) {
      const { status, body } = await payer.pay({ to, amount: "1.000001" });
      expect([status, body.to.address, body.to.wallet_id]).toEqual([200, payee.address, payee.walletId]);
    }

    expect((await payee.balance()).total).toBe(4_000_004n);
    expect((await payer.balance()).total).toBe(995_999_996n);
  });

  it("200: authorize_only holds the amount for 7 days", async () => {
    const payer = await seedPayer(harness);

    const { status, body } = await payer.pay({ execution: "authorize_only" });

    expect([status, body.status, body.paid_amount, body.receipt]).toEqual([200, "authorized", null, null]);
    const heldMs = Date.parse(body.expires_at) - harness.clock.now().getTime();
    expect(heldMs).toBe(7 * 86_400_000);
    expect(await payer.balance()).toEqual({ total: 1_000_000_000n, held: 5_000_000n });
  });

  it("202: a rule asks a person, and nothing is reserved", async () => {
    const asks = { id: "ask", effect: "require_approval", operation: "payment" };
    const payer = await seedPayer(harness, { rules: [ALLOW, asks] });
    const to = randomAddress();

    const { status, body } = await payer.pay({ to, purpose: "a license" });

    expect([status, body.status, body.reservation]).toEqual([202, "requires_approval", null]);
    expect(await payer.balance()).toEqual({ total: 1_000_000_000n, held: 0n });
    const approval = (await payer.tenant.get(`/approvals/${body.approval.approval_id}`)).body;
    expect(approval).toMatchObject({
      status: "pending",
      subject: { type: "payment", id: body.payment_id },
      agent_id: payer.agentId,
      summary: {
        title: `Pay 5.00 USDC to ${to} on base`,
        amount: "5.00",
        currency: "usdc",
        payee: to,
        reason: "a license",
        risk_flags: ["new_payee"],
      },
      expires_at: body.expires_at,
    });
  });

  it.each([
    ["the balance", 402, "insufficient_funds", { amount: "1000.000001" }, { monthly_cap: "2000" }],
    ["the project's cap", 403, "cap_exceeded", {}, { monthly_cap: "3.00" }],
    ["a limit", 403, "policy_denied", { amount: "10.01" }, { monthly_cap: "2000" }],
    [
      "the balance, if the cap asks too",
      402,
      "insufficient_funds",
      { amount: "1001" },
      { monthly_cap: "3.00", cap_behavior: "require_approval" },
    ],
  ])("refused at once instead of asking a person: %s is too small", async (what, status, code, send, project) => {
    const asks = { id: "ask", effect: "require_approval", operation: "payment" };
    const day = {
      ...{ id: "day", effect: "limit", operation: "payment" },
      budget: { max: what === "a limit" ? "10.00" : "9000.00", period: "rolling_24h" },
    };
    const payer = await seedPayer(harness, { rules: [ALLOW, asks, day] });
    await newProject(payer, { agent_ids: [payer.agentId], ...project });

    const simulated = await payer.pay({ ...send, simulate: true });
    const refused = await payer.pay(send);

    expect([refused.status, refused.body.code]).toEqual([status, code]);
    expect([simulated.body.outcome, simulated.body.refusal.code]).toEqual(["deny", code]);
    expect((await payer.tenant.get("/approvals")).body.data).toEqual([]);
    expect(await payer.balance()).toEqual({ total: 1_000_000_000n, held: 0n });
  });

  it("402: more than the balance, with what is available", async () => {
    const payer = await seedPayer(harness, { baseUnits: 1_000_000n });

    const { status, body } = await payer.pay({ amount: "1.000001" });

    expect([status, body.code, body.decision]).toEqual([
      402,
      "insufficient_funds",
      { available: "1.00", required: "1.000001" },
    ]);
    expect((await payer.tenant.get("/payments")).body.data).toEqual([]);
  });

  it("403: a policy denies, and names its rule and what is left", async () => {
    const payer = await seedPayer(harness);

    const { status, body } = await payer.pay({ amount: "1000.01" });

    expect([status, body.code, body.decision.rule_id]).toEqual([403, "policy_denied", "payment_max"]);
  });

  it("404: no wallet on the network, another tenant's wallet, another agent's wallet, an unknown agent", async () => {
    const payer = await seedPayer(harness);
    const other = await seedPayer(harness, { tenant: payer.tenant });
    const foreign = await seedPayer(harness);
    const unknown = randomUUID();

    const answers = [
      await payer.pay({ network: "polygon" }),
      await payer.pay({ wallet_id: foreign.walletId }),
      await payer.pay({ wallet_id: other.walletId }),
      await payer.pay({ to: foreign.walletId }),
      await payer.pay({ to: randomUUID() }),
      await payer.pay({ agent_id: unknown }, { headers: { "x-agent-id": unknown } }),
    ];

    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      ...Array.from({ length: 5 }, () => [404, "wallet_not_found"]),
      [404, "agent_not_found"],
    ]);
    const absent = await payer.pay({ wallet_id: "wal_01kaz000000000000000000000" });
    const withoutId = (body: object | undefined) => ({ ...body, request_id: null });
    expect(withoutId(answers[1]?.body)).toEqual(withoutId(absent.body));
  });

  it("422: payees and amounts of every wrong form", async () => {
    const payer = await seedPayer(harness);
    const other = await seedWallet(harness.app, {
      ...{ tenantId: payer.tenant.tenantId, agentId: payer.agentId, network: "polygon" },
    });
    const here = { wallet_id: payer.walletId };
    const usdc = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
    const bodies: readonly [string, object][] = [
      ["/body/to", { to: "0x1234" }],
      ["/body/to", { to: "" }],
      ["/body/to", { to: `0x${"0".repeat(40)}` }],
      ["/body/to", { to: usdc }],
      ["/body/to", { to: usdc.replace("0x8", "0x8").replace("A", "a") }],
      ["/body/to", { to: "api.example.com" }],
      ["/body/to", { to: payer.walletId }],
      ["/body/to", { to: payer.address }],
      ["/body/to", { to: other.walletId }],
      ["/body/to/value", { to: { type: "agent", value: "x" } }],
      ["/body/to/type", { to: { type: "merchant", value: "shop" } }],
      ["/body/to/type", { to: { type: "x402_url", value: "https://api.example.com" } }],
      ["/body/to/type", { to: { type: "iban", value: "x" } }],
      ["/body/amount", { amount: "0" }],
      ["/body/amount", { amount: "-1" }],
      ["/body/amount", { amount: "1.0000001" }],
      ["/body/amount", { amount: "1e3" }],
      ["/body/token", { token: "EURC" }],
      ["/body/token", { token: "usdc" }],
      ["/body/network", { network: "mars" }],
      ["/body/network", { network: "polygon" }],
      ["/body/mandate", { mandate: {} }],
      ["/body/expires_at", { expires_at: "2020-01-01T00:00:00Z" }],
      ["/body/expires_at", { execution: "authorize_only", expires_at: "2027-01-01T00:00:00Z" }],
      ["/body/agent_id", { agent_id: randomUUID() }],
      ["/body/project_id", { project_id: (await newProject(payer)).project_id }],
    ];

    for (const [pointer, body] of bodies) {
      const answer = await payer.pay({ ...here, ...body });
      expect([answer.status, answer.body.errors?.[0]?.pointer, body]).toEqual([422, pointer, body]);
    }

    const missing = await payer.tenant.post("/payments/send", { agent_id: payer.agentId });
    expect(missing.status).toBe(422);
    const several = await payer.pay();
    expect([several.status, several.body.errors[0].pointer]).toEqual([422, "/body/network"]);
    expect((await payer.balance()).total).toBe(1_000_000_000n);
  });

  it.each([
    ["-1.00", "must be greater than zero"],
    ["0", "must be greater than zero"],
    ["1.0000001", "must have at most 6 decimals"],
    ["1,00", "must be an amount in decimal notation, such as 12.50"],
  ])("422: the answer to the amount %s says what is wrong", async (amount, detail) => {
    const payer = await seedPayer(harness);

    const { status, body } = await payer.pay({ amount });

    expect([status, body.errors]).toEqual([422, [{ pointer: "/body/amount", code: expect.any(String), detail }]]);
  });

  it("422: no X-Agent-ID, with the agent of the body to send in it", async () => {
    const payer = await seedPayer(harness);

    const answer = await payer.tenant.post("/payments/send", {
      ...{ agent_id: payer.agentId, amount: "1", to: randomAddress() },
    });

    expect([answer.status, answer.body.errors[0].pointer]).toEqual([422, "/headers/x-agent-id"]);
    expect(answer.body.errors[0].detail).toContain(payer.agentId);
  });

  it("a project's cap binds the payments of its agents, and several projects must be named", async () => {
    const payer = await seedPayer(harness);
    const first = await newProject(payer, { agent_ids: [payer.agentId], monthly_cap: "8.00" });

    expect((await payer.pay()).body.project_id).toBe(first.project_id);
    const refused = await payer.pay();
    expect([refused.status, refused.body.code, refused.body.decision]).toMatchObject([
      403,
      "cap_exceeded",
      { rule_id: "project_cap", limit: "8.00", used: "5.00", remaining: "3.00" },
    ]);
    const second = await newProject(payer, { agent_ids: [payer.agentId] });
    const unnamed = await payer.pay();
    expect([unnamed.status, unnamed.body.errors[0].pointer]).toEqual([422, "/body/project_id"]);
    const named = await payer.pay({ project_id: second.project_id });
    expect([named.status, named.body.project_id]).toEqual([200, second.project_id]);
    const { usage } = (await payer.tenant.get(`/projects/${second.project_id}`)).body;
    expect(usage).toMatchObject({ spent: "5.00", reserved: "0.00" });
  });

  it("202: a payment above a cap that asks, and nothing is reserved", async () => {
    const payer = await seedPayer(harness);
    await newProject(payer, {
      ...{ agent_ids: [payer.agentId], monthly_cap: "3.00", cap_behavior: "require_approval" },
    });

    const { status, body } = await payer.pay();

    expect([status, body.status]).toEqual([202, "requires_approval"]);
    const approval = (await payer.tenant.get(`/approvals/${body.approval.approval_id}`)).body;
    expect(approval.rules).toEqual([{ policy_id: null, policy_version: null, rule_id: "project_cap" }]);
  });

  it("a payment that a policy refuses is recorded for back-tests, and the agent gets the event", async () => {
    const payer = await seedPayer(harness);
    await payer.pay();
    await payer.pay({ amount: "5000.00" });

    const decisions = await harness.app.db
      .selectFrom("policyDecisions")
      .select(["outcome", "ruleId"])
      .where("tenantId", "=", payer.tenant.tenantId)
      .orderBy("decisionId")
      .execute();
    expect(decisions).toEqual([
      { outcome: "allow", ruleId: "allow_payments" },
      { outcome: "deny", ruleId: "payment_max" },
    ]);
    const events = await harness.app.db
      .selectFrom("events")
      .select(["type", "subjectType", "sequence", "actor"])
      .where("tenantId", "=", payer.tenant.tenantId)
      .where("type", "like", "payment.%")
      .orderBy("eventId")
      .execute();
    const actor = { type: "agent", id: payer.agentId };
    expect(events).toMatchObject([
      { type: "payment.confirmed", subjectType: "payment", sequence: 1, actor },
      { type: "payment.denied", subjectType: "agent", sequence: null, actor },
    ]);
  });

  it("a balance read after the payment contains it, also the payee's, and the next read comes from the cache", async () => {
    const payer = await seedPayer(harness);
    const payee = await seedPayer(harness, { tenant: payer.tenant, baseUnits: 0n });
    const read = async ({ walletId }: { readonly walletId: string }) => {
      const { body } = await payer.tenant.get(`/wallets/${walletId}/balance`);
      return [body.source, body.balances[0].available];
    };
    expect([await read(payer), await read(payee)]).toEqual([
      ["database", "1000.00"],
      ["database", "0.00"],
    ]);

    await payer.pay({ to: payee.walletId });

    expect([await read(payer), await read(payee), await read(payer)]).toEqual([
      ["database", "995.00"],
      ["database", "5.00"],
      ["cache", "995.00"],
    ]);
  });

  it("an authorization from before a freeze is canceled, even if the wallet is unfrozen at once", async () => {
    const payer = await seedPayer(harness);
    const { payment_id } = (await payer.pay({ execution: "authorize_only" })).body;
    const wallet = `/wallets/${payer.walletId}`;
    await payer.tenant.get(`${wallet}/balance`);

    await payer.tenant.post(`${wallet}/freeze`, { reason: "anomaly" });
    expect((await payer.tenant.post(`${wallet}/unfreeze`)).status).toBe(204);

    const { body } = await payer.tenant.get(`/payments/${payment_id}`);
    expect([body.status, body.failure.code]).toEqual(["canceled", "wallet_frozen"]);
    expect((await payer.post(`/payments/${payment_id}/capture`)).status).toBe(409);
    const { balances } = (await payer.tenant.get(`${wallet}/balance`)).body;
    expect(balances[0]).toMatchObject({ available: "1000.00", held: "0.00" });
  });

  it("503: a live payment, and nothing is stored", async () => {
    const payer = await seedPayer(harness, { mode: "live", rules: [ALLOW] });

    const { status, body } = await payer.pay();

    expect([status, body.code]).toEqual([503, "network_unavailable"]);
    expect((await payer.tenant.get("/payments")).body.data).toEqual([]);
  });

  it("100 requests with one key: one payment, and each response is the same or 409", async () => {
    const payer = await seedPayer(harness);
    const to = randomAddress();
    const headers = { "idempotency-key": randomUUID() };

    const answers = await Promise.all(Array.from({ length: 100 }, () => payer.pay({ to }, { headers })));

    const paid = answers.filter(({ status }) => status === 200);
    expect(new Set(paid.map(({ text }) => text)).size).toBe(1);
    const others = answers.filter(({ status }) => status !== 200);
    expect(others.every(({ status }) => status === 409 || status === 503)).toBe(true);
    expect((await payer.balance()).total).toBe(995_000_000n);
  });

  it("a captured refusal stays refused after the wallet was funded", async () => {
    const payer = await seedPayer(harness, { baseUnits: 0n });
    const { tenantId } = payer.tenant;
    const to = randomAddress();
    const headers = { "idempotency-key": randomUUID() };
    expect((await payer.pay({ to }, { headers })).status).toBe(402);
    await seedWallet(harness.app, {
      ...{ tenantId, agentId: payer.agentId, network: "polygon", baseUnits: 9_000_000n },
    });

    expect((await payer.pay({ to }, { headers })).status).toBe(402);
  });

  async function newProject(payer: Awaited<ReturnType<typeof seedPayer>>, fields: object = {}) {
    return (await payer.tenant.post("/projects", { name: randomUUID(), ...fields })).body;
  }
});
