import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { ALLOW_RAMPS, actingOf } from "../../../../test/fiat/acting.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { expectSumsToMatch } from "../../../../test/payments/money-state.ts";
import { auditOf } from "../../../../test/project-seeds.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import { fundWallet, randomAddress, seedWallet } from "../../../../test/wallets/seed-wallet.ts";
import type { WalletId } from "../../../foundation/ids.ts";

const DIRECTIONS = ["on_ramp", "off_ramp"] as const;
const CALLS_MAX = 1_000_000;

describe("POST /fiat/on-ramp and /fiat/off-ramp", () => {
  const keyBucket = { capacity: CALLS_MAX, refillPerSecond: CALLS_MAX };
  const harness = useHarness({ vendors: true, settings: { keyBucket, failuresPerMinute: CALLS_MAX } });
  const { query, seed, footprint } = actingOf(harness);

  type Acting = Awaited<ReturnType<typeof seed>>;

  const summaryOf = ({ status, body }: ApiResponse) => [status, body.code];
  const pointersOf = ({ status, body }: ApiResponse) => [status, body.errors?.[0]?.pointer, body.errors?.[0]?.code];
  const transfersAtBridge = () =>
    harness.sandbox.requests("bridge").filter(({ operation }) => operation === "createTransfer").length;

  const refusalsOf = async ({ tenant }: Acting) =>
    (await auditOf(harness.app, tenant.tenantId)).filter(({ action }) => action === "conversion.refused");

  /**
   * Sends a request that is refused for good, twice under one Idempotency-Key. Expects the same bytes again, and that nothing
   * has changed except that the audit trail has an entry. Returns the refusal.
   */
  async function refused(seeded: Acting, direction: (typeof DIRECTIONS)[number], more: object = {}) {
    const { tenant, agentId, act } = seeded;
    const before = [await footprint(tenant.tenantId), await seeded.balance()];
    const entries = await refusalsOf(seeded);
    const key = { headers: { "idempotency-key": randomUUID() } };

    const first = await act(direction, more, key);
    const second = await act(direction, more, key);

    expect([second.text, second.status]).toEqual([first.text, first.status]);
    expect([first.headers["idempotent-replayed"], second.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
    expect(second.headers["content-type"]).toContain("application/problem+json");
    expect([await footprint(tenant.tenantId), await seeded.balance()]).toEqual(before);
    const [entry, ...others] = (await refusalsOf(seeded)).slice(entries.length);
    expect([others, entry?.actor, entry?.facts["code"]]).toMatchObject([
      [],
      { type: "agent", id: agentId },
      first.body.code,
    ]);
    return first;
  }

  const change = (table: string, set: string) => async (seeded: Acting) =>
    void (await query(`update ${table} set ${set} where tenant_id = $1`, [seeded.tenant.tenantId]));

  const NO_KYA = { id: "kya", effect: "deny", when: { kya_level: { in: ["none", "basic"] } } };

  /** What is wrong with a request for which everything is wrong, in the order of the refusals, and what ends it. */
  const WRONGS: readonly {
    readonly refusal: readonly [status: number, code: string, fields?: object];
    readonly mend: (seeded: Acting) => Promise<unknown>;
    readonly isOffRampOnly?: true;
  }[] = [
    {
      refusal: [403, "agent_suspended"],
      mend: ({ tenant, agentId }) => tenant.post(`/agents/${agentId}/resume`),
    },
    {
      refusal: [403, "wallet_frozen"],
      mend: ({ tenant, walletId }) => tenant.post(`/wallets/${walletId}/unfreeze`),
      isOffRampOnly: true,
    },
    {
      refusal: [403, "kya_required", { decision: { required_level: "verified" } }],
      mend: ({ setRules }) => setRules([]),
    },
    {
      refusal: [403, "policy_denied", { decision: { rule_id: "default" } }],
      mend: ({ setRules }) => setRules(ALLOW_RAMPS),
    },
    {
      refusal: [
        ...([403, "cap_exceeded"] as const),
        { decision: { rule_id: "project_cap", limit: "5.00", used: "0.00", remaining: "5.00" } },
      ],
      mend: ({ tenant, projectId }) => tenant.patch(`/projects/${projectId}`, { monthly_cap: "500.00" }),
      isOffRampOnly: true,
    },
    {
      refusal: [402, "insufficient_funds", { decision: { available: "10.00", required: "40.00" } }],
      mend: ({ tenant, walletId }) => tenant.post(`/wallets/${walletId}/fund`, { amount: "90.00" }),
      isOffRampOnly: true,
    },
    {
      refusal: [409, "conflict", { next_action: { type: "relink_account", actor: "human" } }],
      mend: change("fiat_accounts", "status = 'verified'"),
    },
    {
      refusal: [409, "conflict", { next_action: { type: "complete_kyc", actor: "human" } }],
      mend: change("fiat_customers", "kyc_status = 'approved'"),
    },
  ];

  it.each(DIRECTIONS)(
    "%s: refused for one reason after another, in their order, until nothing is wrong",
    async (direction) => {
      const seeded = await seed({ funds: "10.00", rules: [...ALLOW_RAMPS, NO_KYA], project: { monthly_cap: "5.00" } });
      const { tenant, agentId, walletId, act, read } = seeded;
      await change("fiat_customers", "kyc_status = 'under_review'")(seeded);
      await change("fiat_accounts", "status = 'relink_required'")(seeded);
      if (direction === "off_ramp") await tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" });
      await tenant.post(`/agents/${agentId}/suspend`);

      for (const { refusal, mend, isOffRampOnly } of WRONGS) {
        if (isOffRampOnly && direction === "on_ramp") continue;
        const [status, code, fields = {}] = refusal;
        const answer = await refused(seeded, direction);
        expect(answer.body).toMatchObject({ status, code, ...fields });
        const validated = await act(direction, { validate_only: true });
        expect(summaryOf(validated)).toEqual([status, code]);
        await mend(seeded);
      }

      const { status, body } = await act(direction);
      expect([status, body.agent_id]).toEqual([200, agentId]);
      expect((await read(body.conversion_id)).status).toBe("awaiting_funds");
    },
  );

  it.each(DIRECTIONS)(
    "%s: `max_fee` refuses before anything is reserved, but after agent_suspended and wallet_frozen",
    async (direction) => {
      const seeded = await seed();
      const { tenant, agentId, act } = seeded;

      const { body } = await refused(seeded, direction, { max_fee: "0.05" });

      expect([body.status, body.code, body.decision]).toEqual([403, "policy_denied", { rule_id: "max_fee" }]);
      expect(summaryOf(await act(direction, { max_fee: "0.05", execute: false }))).toEqual([403, "policy_denied"]);
      await tenant.post(`/agents/${agentId}/suspend`);
      expect((await refused(seeded, direction, { max_fee: "0.05" })).body.code).toBe("agent_suspended");
      await tenant.post(`/agents/${agentId}/resume`);
      expect(summaryOf(await act(direction, { max_fee: "0.06" }))).toEqual([200, undefined]);
    },
  );

  it("an agent with the starter policy converts nothing", async () => {
    const seeded = await seed({ rules: null });

    for (const direction of DIRECTIONS) {
      const { body } = await refused(seeded, direction);
      expect([body.status, body.code, body.decision.rule_id]).toEqual([403, "policy_denied", "default"]);
    }
  });

  const DAY = { id: "day", effect: "limit", operation: "*", budget: { max: "50.00", period: "rolling_24h" } };
  const ASK = { id: "ask", effect: "require_approval", operation: "*", when: { amount_usd: { gt: "10.00" } } };

  it.each([
    [
      "a rule denies",
      { rules: [{ id: "no", effect: "deny", when: { provider: { eq: "bridge" } } }] },
      { rule_id: "no" },
    ],
    ["a limit for each", { rules: [{ ...DAY, budget: { max: "39.99", period: "per_tx" } }] }, { rule_id: "day" }],
    ["a rule asks a person", { rules: [ASK] }, undefined],
    ["the threshold asks a person", { rules: [], approvals: { threshold_usd: "20.00" } }, undefined],
  ])("403 policy_denied: %s", async (_what, { rules, ...policy }, decision) => {
    const seeded = await seed({ rules: [...ALLOW_RAMPS, ...rules], ...policy });

    for (const direction of DIRECTIONS) {
      const { body } = await refused(seeded, direction);
      expect([body.status, body.code]).toEqual([403, "policy_denied"]);
      if (decision !== undefined) expect(body.decision).toMatchObject(decision);
    }
  });

  it("403 policy_denied: a limit counts on-ramps and off-ramps, by their source amount", async () => {
    const seeded = await seed({ rules: [...ALLOW_RAMPS, DAY] });
    const { act, spent } = seeded;
    const onRamp = await act("on_ramp", { amount: "30.00" });
    expect([onRamp.status, onRamp.body.payment_reserved, await spent()]).toEqual([200, true, "0.00"]);
    expect((await act("off_ramp", { amount: "15.00" })).status).toBe(200);

    const { body } = await refused(seeded, "on_ramp", { amount: "5.01" });

    expect([body.code, body.decision]).toMatchObject([
      "policy_denied",
      { rule_id: "day", limit: "50.00", used: "45.00", remaining: "5.00", resets_at: expect.any(String) },
    ]);
    expect((await act("on_ramp", { amount: "5.00" })).status).toBe(200);
    await expectSumsToMatch(harness.app, seeded.tenant.tenantId);
  });

  it("a cap that would ask a person refuses", async () => {
    const seeded = await seed({ project: { monthly_cap: "39.99", cap_behavior: "require_approval" } });

    const { body } = await refused(seeded, "off_ramp");

    expect([body.status, body.code, body.decision.rule_id]).toEqual([403, "cap_exceeded", "project_cap"]);
  });

  it("a developer has no policy, but the cap of the project of the wallet's agent applies to off-ramps", async () => {
    const { tenant, agentId, onRamp, offRamp, spent } = await seed({ rules: null, project: { monthly_cap: "50.00" } });

    const first = await onRamp("60.00");
    expect([first.status, first.body.agent_id, first.body.payment_reserved]).toEqual([200, null, false]);
    const second = await offRamp("40.00");
    expect([second.status, second.body.agent_id, second.body.payment_reserved]).toEqual([200, null, true]);
    const third = await offRamp("10.01");

    expect([third.status, third.body.code, third.body.decision]).toMatchObject([
      ...[403, "cap_exceeded"],
      { rule_id: "project_cap", limit: "50.00", used: "40.00", remaining: "10.00" },
    ]);
    expect(await spent()).toBe("40.00");
    await tenant.post(`/agents/${agentId}/suspend`);
    expect(summaryOf(await offRamp("1.50"))).toEqual([403, "agent_suspended"]);
  });

  it("a key that is bound to the agent acts as it, and reaches no other agent's wallet", async () => {
    const { tenant, agentId, walletId, bodies } = await seed({ rules: null });
    const other = await postAgent(tenant);
    const both = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agentId, other.agent_id] });
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agentId] });
    const foreign = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [other.agent_id] });

    const answer = await bound.post("/fiat/off-ramp", bodies.off_ramp);
    expect([...summaryOf(answer), answer.body.decision.rule_id]).toEqual([403, "policy_denied", "default"]);
    expect(summaryOf(await foreign.post("/fiat/off-ramp", bodies.off_ramp))).toEqual([404, "wallet_not_found"]);
    const unnamed = await both.post("/fiat/off-ramp", bodies.off_ramp);
    expect(pointersOf(unnamed).slice(0, 2)).toEqual([422, "/headers/x-agent-id"]);
    await tenant.post(`/wallets/${walletId}/freeze`, { reason: "anomaly" });
    expect(summaryOf(await bound.post("/fiat/off-ramp", bodies.off_ramp))).toEqual([403, "wallet_frozen"]);
  });

  it("422: amounts, currencies, tokens and rails that are not converted; nothing is stored", async () => {
    const seeded = await seed();
    const { tenant, act } = seeded;
    const before = await footprint(tenant.tenantId);
    const both: readonly (readonly [pointer: string, code: string, body: object])[] = [
      ...["10.001", "0.001", "1.100"].map((amount) => ["/body/amount", "decimals", { amount }] as const),
      ...["0.01", "0.99", "1.00"].map((amount) => ["/body/amount", "minimum", { amount }] as const),
      ["/body/amount", "minimum", { amount: "0.99", amount_type: "target" }],
      ["/body/amount", "maximum", { amount: "1000000.01" }],
      ["/body/amount", "maximum", { amount: "999999999999999999" }],
      ["/body/amount", "maximum", { amount: "999000.00", amount_type: "target" }],
      ["/body/currency", "unsupported", { currency: "eur" }],
      ["/body/token", "unsupported", { token: "usdt" }],
      ...["rtp", "sepa", "ach_debit", "ACH", ""].map(
        (payment_rail) => ["/body/payment_rail", "unsupported", { payment_rail }] as const,
      ),
      ["/body/project_id", "unknown", { project_id: "proj_01k3z5qexrf1xv2hj4nb9c8w7d" }],
      ["/body/quote_id", "unknown", { quote_id: "qt_01k3z5qexrf1xv2hj4nb9c8w7d" }],
      ["/body/quote_id", "not_allowed", { quote_id: "qt_01k3z5qexrf1xv2hj4nb9c8w7d", validate_only: true }],
    ];
    const some = {
      on_ramp: [
        ["/body/payment_rail", "unsupported", { payment_rail: "ach" }],
        ["/body/wallet_id", "required", { wallet_id: undefined }],
        ["/body/network", "required", { wallet_id: undefined, destination_address: randomAddress() }],
        ["/body/destination_address", "not_allowed", { destination_address: randomAddress() }],
        ["/body/network", "not_allowed", { network: "base" }],
      ],
      off_ramp: [
        ["/body/payment_rail", "unsupported", { payment_rail: "ach_push" }],
        ["/body/statement_descriptor", "not_allowed", { statement_descriptor: "ACME", payment_rail: "wire" }],
        ["/body/statement_descriptor", "invalid", { statement_descriptor: "ACME-CORPS" }],
        ["/body/statement_descriptor", "invalid", { statement_descriptor: "ACME CORP 1" }],
      ],
    } as const;

    for (const direction of DIRECTIONS) {
      for (const [pointer, code, body] of [...both, ...some[direction]]) {
        const [status, at, reason] = pointersOf(await act(direction, body));
        expect([direction, body, status, at, code === "invalid" ? code : reason]).toEqual([
          ...[direction, body, 422, pointer, code],
        ]);
      }
      expect(pointersOf(await act(direction, { amount: "0" })).slice(0, 2)).toEqual([422, "/body/amount"]);
    }
    expect(await footprint(tenant.tenantId)).toEqual(before);
    expect(await refusalsOf(seeded)).toEqual([]);
  });

  it("200: the smallest and the largest amount, names in capitals, and numbers as JSON numbers", async () => {
    const { tenant, walletId, act } = await seed({ project: { monthly_cap: "9000000.00" } });
    const wallet = { tenantId: tenant.tenantId, walletId: walletId as WalletId };
    await fundWallet(harness.app, { ...wallet, baseUnits: 2_000_000_000_000n });
    const amounts = async (more: object) => {
      const { status, body } = await act("off_ramp", more);
      return [status, body.source?.amount, body.destination?.amount];
    };

    expect(await amounts({ amount: "1.00", amount_type: "target" })).toEqual([200, "1.01", "1.00"]);
    expect(await amounts({ amount: "1000000.00", currency: "USD", token: "USDC" })).toEqual([
      ...[200, "1000000.00", "998500.00"],
    ]);
    expect(await amounts({ amount: 12.5 })).toEqual([200, "12.50", "12.48"]);
  });

  it("an on-ramp to the address of an own wallet; another's, one of another agent, mode or network, is no wallet", async () => {
    const { tenant, agentId, walletId, act } = await seed();
    const { address } = (await tenant.get(`/wallets/${walletId}`)).body;
    const live = await seedWallet(harness.app, { tenantId: tenant.tenantId, agentId, mode: "live" });
    const sibling = await createWallet(tenant);
    const foreign = await seed();
    const foreignWallet = (await foreign.tenant.get(`/wallets/${foreign.walletId}`)).body;
    const to = (destination_address: string, network = "base") =>
      act("on_ramp", { wallet_id: undefined, destination_address, network });

    for (const own of [address, address.toLowerCase()]) {
      const { status, body } = await to(own);
      expect([status, body.destination.wallet_id]).toEqual([200, walletId]);
    }
    for (const answer of [
      ...[await to(randomAddress()), await to(foreignWallet.address), await to(live.address)],
      ...[await to(address, "polygon"), await to(sibling.address)],
    ]) {
      expect(pointersOf(answer)).toEqual([422, "/body/destination_address", "not_a_wallet"]);
    }
  });

  it("`validate_only` answers what would be converted, stores nothing, calls no vendor, and uses up neither key nor signature", async () => {
    const seeded = await seed();
    const { tenant, agentId, act, balance } = seeded;
    const before = [await footprint(tenant.tenantId), await balance()];
    const headers = { "idempotency-key": randomUUID() };

    for (const direction of DIRECTIONS) {
      const { status, body } = await act(direction, { validate_only: true }, { headers });
      expect([status, body]).toMatchObject([
        200,
        {
          ...{ object: "conversion", status: "quoted", conversion_id: null, quote: null, provider_reference: null },
          ...{ source: { amount: "40.00" }, destination: { amount: "39.94" }, agent_id: agentId, timeline: [] },
        },
      ]);
    }
    expect([await footprint(tenant.tenantId), await balance()]).toEqual(before);
    const kept = `select (select count(*) from idempotency_records where tenant_id = $1 and idempotency_key = $2)::integer as keys`;
    expect(await query(kept, [tenant.tenantId, headers["idempotency-key"]])).toEqual([{ keys: 0 }]);
    const captured = { timestamp: String(Math.floor(harness.clock.now().getTime() / 1000) + 20) };
    const validate = () => act("off_ramp", { validate_only: true, amount: "41.00" }, captured);
    expect([(await validate()).status, (await validate()).status]).toEqual([200, 200]);
    expect((await act("off_ramp", {}, { headers })).status).toBe(200);
  });

  it.each(DIRECTIONS)(
    "%s: 20 requests of 10.00 at once under a limit of 50.00: exactly five succeed",
    async (direction) => {
      const { tenant, act } = await seed({ funds: "900.00", rules: [...ALLOW_RAMPS, DAY] });

      const answers = await Promise.all(Array.from({ length: 20 }, () => act(direction, { amount: "10.00" })));

      const refusals = answers.filter(({ status }) => status !== 200);
      expect(refusals).toHaveLength(15);
      expect(new Set(refusals.map(({ body }) => body.code))).toEqual(new Set(["policy_denied"]));
      await expectSumsToMatch(harness.app, tenant.tenantId);
    },
  );

  it("409: a captured request is not accepted a second time, also not after a refusal", async () => {
    const { act, read, tenant } = await seed({ project: { monthly_cap: "9000.00" } });
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000) + 20);

    for (const [amount, status] of [
      ["40.00", 200],
      ["4000.00", 402],
    ] as const) {
      const answers = [
        await act("off_ramp", { amount }, { timestamp }),
        await act("off_ramp", { amount }, { timestamp }),
      ];
      expect(answers.map((answer) => answer.status)).toEqual([status, 409]);
      expect(answers[1]?.body.code).toBe("signature_replayed");
    }
    const { data } = (await tenant.get("/fiat/conversions")).body;
    expect(data).toEqual([await read(data[0].conversion_id)]);
  });

  it.each(DIRECTIONS)(
    "%s: 100 requests at once under one key make one conversion, and one transfer at Bridge",
    async (direction) => {
      const { act, tenant, balance } = await seed();
      const headers = { "idempotency-key": randomUUID() };
      const before = transfersAtBridge();

      const answers = await Promise.all(Array.from({ length: 100 }, () => act(direction, {}, { headers })));

      const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body.conversion_id);
      expect([ids.length > 0, new Set(ids).size]).toEqual([true, 1]);
      expect(answers.filter(({ status }) => status !== 200 && status !== 409 && status !== 503)).toEqual([]);
      const again = await act(direction, {}, { headers });
      expect([again.status, again.headers["idempotent-replayed"], again.body.conversion_id]).toEqual([
        200,
        "true",
        ids[0],
      ]);
      expect((await tenant.get("/fiat/conversions")).body.data).toHaveLength(1);
      expect(transfersAtBridge() - before).toBe(1);
      expect(await balance()).toMatchObject({ available: direction === "on_ramp" ? "100.00" : "60.00", held: "0.00" });
      await expectSumsToMatch(harness.app, tenant.tenantId);
    },
  );

  it("409: the developer's Bridge keys were deleted, after 404, and not for a request that is repeated", async () => {
    const seeded = await seed();
    const headers = { "idempotency-key": randomUUID() };
    const { body } = await seeded.act("on_ramp", {}, { headers });
    await change("fiat_customers", "ramp_owner = 'developer'")(seeded);

    const again = await seeded.act("on_ramp", {}, { headers });

    expect([again.status, again.body.conversion_id]).toEqual([200, body.conversion_id]);
    for (const direction of DIRECTIONS) {
      expect(summaryOf(await seeded.act(direction))).toEqual([409, "provider_not_configured"]);
      const validated = await seeded.act(direction, { validate_only: true });
      expect(summaryOf(validated)).toEqual([409, "provider_not_configured"]);
      const unknown = await seeded.act(direction, { wallet_id: "wal_unknown" });
      expect(summaryOf(unknown)).toEqual([404, "wallet_not_found"]);
    }
  });

  const DUPLICATE = `insert into conversions select (jsonb_populate_record(c, jsonb_build_object(
    'conversion_id', c.conversion_id || '_' || n, 'quote_id', c.quote_id || '_' || n))).*
    from conversions c, generate_series(2, $2) n where conversion_id = $1`;

  it("409: the wallet has 100 conversions that are not final", async () => {
    const seeded = await seed();
    const { act, read, walletId } = seeded;
    const { body: open } = await act("on_ramp");
    await query(DUPLICATE, [open.conversion_id, 99]);

    const answers = await Promise.all([act("off_ramp"), ...Array.from({ length: 9 }, () => act("on_ramp"))]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    for (const direction of DIRECTIONS) {
      const { body } = await refused(seeded, direction);
      expect([body.status, body.code]).toEqual([409, "conflict"]);
      expect(body.detail).toContain("100 conversions that are not final");
    }
    await query("update conversions set status = 'completed' where conversion_id = $1", [open.conversion_id]);
    expect((await act("on_ramp")).status).toBe(200);
    expect((await read(open.conversion_id)).destination.wallet_id).toBe(walletId);
  });

  it("409: more than 1,000 quotes in an hour", async () => {
    const seeded = await seed();
    const { act } = seeded;
    const quote = await act("off_ramp", { execute: false });
    await query(DUPLICATE, [quote.body.conversion_id, 999]);
    const quotes = DIRECTIONS.map((direction) => act(direction, { execute: false }));
    expect((await Promise.all(quotes)).map(({ status }) => status).sort()).toEqual([200, 409]);

    const { body } = await refused(seeded, "on_ramp", { execute: false });

    expect([body.status, body.code]).toEqual([409, "conflict"]);
    expect(body.detail).toContain("1,000 quotes");
    expect((await act("off_ramp")).status).toBe(200);
    harness.clock.advanceSeconds(3_600);
    expect((await act("on_ramp", { execute: false })).status).toBe(200);
  });
});
