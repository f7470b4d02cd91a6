import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { conversionsOf } from "../../../../test/fiat/conversions.ts";
import { useHarness } from "../../../../test/harness.ts";

describe("quotes and the history of conversions", () => {
  const harness = useHarness({ vendors: true });
  const conversions = conversionsOf(harness);
  const transfers = () =>
    harness.sandbox.requests("bridge").filter(({ operation }) => operation === "createTransfer").length;
  const inSeconds = (seconds: number) => new Date(harness.clock.now().getTime() + seconds * 1_000).toISOString();

  it("200: a quote is valid for 30 seconds; nothing is held, and Bridge is not asked", async () => {
    const { offRamp, balance } = await conversions.seed({ funds: "100" });
    const before = transfers();

    const { status, body } = await offRamp("40.00", { execute: false });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "quoted",
      quote: { quote_id: expect.stringMatching(/^qt_/), expires_at: inSeconds(30) },
      source: { amount: "40.00" },
      destination: { amount: "39.94" },
      timeline: [{ status: "quoted", at: inSeconds(0) }],
      ...{ expected_completion_at: null, provider_reference: null },
    });
    expect(transfers()).toBe(before);
    expect(await balance()).toMatchObject({ available: "100.00", held: "0.00" });
  });

  it("200: executed by its id, or by a request with the same terms and quote_id; the conversion keeps its id", async () => {
    const { tenant, offRamp } = await conversions.seed({ funds: "100" });
    const [first, second] = [await offRamp("10.00", { execute: false }), await offRamp("20.00", { execute: false })];

    const byId = await tenant.post(`/fiat/conversions/${first.body.conversion_id}/execute`);
    const byQuote = await offRamp("20.00", { quote_id: second.body.quote.quote_id });

    expect(byId.status).toBe(200);
    expect(byId.body).toMatchObject({ conversion_id: first.body.conversion_id, source: { amount: "10.00" } });
    expect(byQuote.body).toMatchObject({ conversion_id: second.body.conversion_id, quote: second.body.quote });
    expect(byQuote.body.status).not.toBe("quoted");
    expect(byQuote.body.expected_completion_at).toBe(inSeconds(3 * 86_400));
  });

  it("409 quote_expired: from the 30th second on, for every reader; nothing is converted", async () => {
    const { tenant, offRamp, read } = await conversions.seed({ funds: "100" });
    const { body } = await offRamp("10.00", { execute: false });
    const before = transfers();
    harness.clock.advanceSeconds(30);

    const answers = [
      await tenant.post(`/fiat/conversions/${body.conversion_id}/execute`),
      await offRamp("10.00", { quote_id: body.quote.quote_id }),
    ];

    for (const { status, body: problem } of answers) expect([status, problem.code]).toEqual([409, "quote_expired"]);
    expect((await read(body.conversion_id)).status).toBe("expired");
    expect((await tenant.get("/fiat/conversions?status=expired")).body.data).toMatchObject([
      { conversion_id: body.conversion_id, status: "expired" },
    ]);
    expect((await tenant.get("/fiat/conversions?status=quoted")).body.data).toEqual([]);
    expect(transfers()).toBe(before);
  });

  it("422: a quote that is unknown, used, of another tenant, or has other terms", async () => {
    const own = await conversions.seed({ funds: "100" });
    const other = await conversions.seed({ funds: "100" });
    const { body } = await own.offRamp("10.00", { execute: false });
    const { quote_id: quoteId } = body.quote;

    const refused = [
      await own.offRamp("10.00", { quote_id: "qt_01k3z5qexrf1xv2hj4nb9c8w7d" }),
      await other.offRamp("10.00", { quote_id: quoteId }),
      await own.offRamp("10.01", { quote_id: quoteId }),
      await own.offRamp("10.00", { quote_id: quoteId, payment_rail: "wire" }),
      await own.offRamp("10.00", { quote_id: quoteId, metadata: { a: "b" } }),
      await own.onRamp("10.00", { quote_id: quoteId }),
    ];
    const unexecuted = await own.offRamp("10.00", { quote_id: quoteId, execute: false });
    expect([unexecuted.status, unexecuted.body.errors?.[0]?.pointer]).toEqual([422, "/body/execute"]);
    expect((await own.offRamp("10.00", { quote_id: quoteId })).status).toBe(200);
    refused.push(await own.offRamp("10.00", { quote_id: quoteId }));

    for (const { status, body: problem } of refused) {
      expect([status, problem.errors?.[0]?.pointer]).toEqual([422, "/body/quote_id"]);
    }
  });

  it("409: executed twice; 404: another tenant's, exactly as one that does not exist", async () => {
    const own = await conversions.seed({ funds: "100" });
    const other = await conversions.seed();
    const { body } = await own.offRamp("10.00", { execute: false });
    const path = `/fiat/conversions/${body.conversion_id}`;
    const missing = "/fiat/conversions/conv_01k3z5qexrf1xv2hj4nb9c8w7d";
    const outcome = async (answer: ReturnType<typeof own.tenant.post>) => {
      const { status, body: problem } = await answer;
      return [status, problem.code, problem.detail];
    };

    expect((await own.tenant.post(`${path}/execute`)).status).toBe(200);
    expect((await own.tenant.post(`${path}/execute`)).body.code).toBe("conflict");
    for (const suffix of ["/execute", "/cancel"]) {
      expect(await outcome(other.tenant.post(path + suffix))).toEqual(
        await outcome(other.tenant.post(missing + suffix)),
      );
    }
    expect(await outcome(other.tenant.get(path))).toEqual(await outcome(other.tenant.get(missing)));
  });

  it("403: an agent's policies decide when it executes a quote of the developer", async () => {
    const { tenant, offRamp, agentId } = await conversions.seed({ funds: "100" });
    const { body } = await offRamp("10.00", { execute: false });
    const path = `/fiat/conversions/${body.conversion_id}/execute`;

    const { status, body: problem } = await tenant.post(path, undefined, { headers: { "x-agent-id": agentId } });

    expect([status, problem.code, problem.decision?.rule_id]).toEqual([403, "policy_denied", "default"]);
    expect((await tenant.post(path)).status).toBe(200);
  });

  it("one of 20 concurrent executions of a quote; one transfer at Bridge", async () => {
    const { tenant, offRamp, balance } = await conversions.seed({ funds: "100" });
    const { body } = await offRamp("10.00", { execute: false });
    const before = transfers();

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => tenant.post(`/fiat/conversions/${body.conversion_id}/execute`)),
    );

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(transfers()).toBe(before + 1);
    expect(await balance()).toMatchObject({ available: "90.00" });
  });

  it("200: a quote, and an on-ramp that waits for dollars, are canceled; Bridge deletes the transfer", async () => {
    const { tenant, onRamp, offRamp, read } = await conversions.seed({ funds: "100" });
    const quote = (await offRamp("10.00", { execute: false })).body;
    const waiting = (await onRamp("25.00")).body;
    const cancel = (id: string) => tenant.post(`/fiat/conversions/${id}/cancel`);

    for (const { conversion_id: id } of [quote, waiting]) {
      const { status, body } = await cancel(id);
      expect([status, body.status]).toEqual([200, "canceled"]);
      expect((await cancel(id)).body.code).toBe("conflict");
    }

    expect(await harness.sandbox.objects("bridge")).toContainEqual(
      expect.objectContaining({ id: waiting.provider_reference, state: "canceled" }),
    );
    await conversions.advance();
    expect((await read(waiting.conversion_id)).status).toBe("canceled");
  });

  it("409: an on-ramp whose dollars have arrived, and an off-ramp whose tokens were sent, cannot be canceled", async () => {
    const { tenant, onRamp, offRamp } = await conversions.seed({ funds: "100" });
    const funded = (await onRamp("25.00")).body;
    await conversions.deposit(funded);
    harness.clock.advanceSeconds(2);
    const sent = (await offRamp("10.00")).body;

    for (const { conversion_id: id } of [funded, sent]) {
      const { status, body } = await tenant.post(`/fiat/conversions/${id}/cancel`);
      expect([status, body.code]).toEqual([409, "conflict"]);
    }
    await conversions.advance();
    expect((await tenant.get(`/fiat/conversions/${funded.conversion_id}`)).body.status).toBe("completed");
  });

  it("an account that a conversion uses cannot be removed; its quotes expire with it", async () => {
    const { tenant, onRamp, offRamp, accountId, read } = await conversions.seed({ funds: "100" });
    const waiting = (await onRamp("25.00")).body;
    const quote = (await offRamp("10.00", { execute: false })).body;

    expect((await tenant.delete(`/fiat/accounts/${accountId}`)).body.code).toBe("conflict");
    await tenant.post(`/fiat/conversions/${waiting.conversion_id}/cancel`);
    expect((await tenant.delete(`/fiat/accounts/${accountId}`)).status).toBe(200);
    expect(await read(quote.conversion_id)).toMatchObject({
      status: "expired",
      destination: { mask: expect.any(String) },
    });
  });

  it("lists the newest first, in pages, filtered by status, direction, wallet and time", async () => {
    const { tenant, onRamp, offRamp, walletId } = await conversions.seed({ funds: "100" });
    const ids: string[] = [];
    for (const amount of ["11.00", "12.00", "13.00"]) {
      harness.clock.advanceSeconds(1);
      ids.unshift((await onRamp(amount)).body.conversion_id);
    }
    const from = inSeconds(0);
    ids.unshift((await offRamp("14.00", { execute: false })).body.conversion_id);
    const list = async (query: string) => {
      const { body } = await tenant.get(`/fiat/conversions?${query}`);
      return body.data.map((each: { readonly conversion_id: string }) => each.conversion_id);
    };

    const first = (await tenant.get("/fiat/conversions?limit=2")).body;
    expect(first.data.map((each: { readonly conversion_id: string }) => each.conversion_id)).toEqual(ids.slice(0, 2));
    expect(await list(`limit=2&cursor=${first.next_cursor}`)).toEqual(ids.slice(2));
    expect(await list("direction=off_ramp")).toEqual(ids.slice(0, 1));
    expect(await list("status=awaiting_funds")).toEqual(ids.slice(1));
    expect(await list(`wallet_id=${walletId}`)).toEqual(ids);
    expect(await list("wallet_id=wal_unknown")).toEqual([]);
    expect(await list(`from=${from}`)).toEqual(ids.slice(0, 2));
    expect(await list(`to=${from}`)).toEqual(ids.slice(2));
    for (const query of ["limit=0", "limit=101", "status=paid", "from=yesterday", "cursor=x", "wallet_id=%00"]) {
      expect((await tenant.get(`/fiat/conversions?${query}`)).status).toBe(422);
    }
  });

  it("200: a quote is executed by the request with which it was made, whatever the order of its metadata", async () => {
    const { offRamp } = await conversions.seed({ funds: "100" });
    const metadata = { order: "1", id: "2", a: "3" };
    const { body } = await offRamp("10.00", { execute: false, metadata });

    const executed = await offRamp("10.00", { quote_id: body.quote.quote_id, metadata });

    expect([executed.status, executed.body.conversion_id]).toEqual([200, body.conversion_id]);
  });

  it("keys that are bound to agents reach the conversions of their agents' wallets only", async () => {
    const { tenant, onRamp, agentId } = await conversions.seed();
    const { body } = await onRamp("25.00");
    const scopes = ["fiat:read", "fiat:write"] as const;
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", scopes, agentIds: [agentId] });
    const other = await harness.seedKey(tenant.tenantId, { mode: "test", scopes, agentIds: [randomUUID()] });
    const path = `/fiat/conversions/${body.conversion_id}`;

    expect((await bound.get(path)).status).toBe(200);
    expect((await bound.get("/fiat/conversions")).body.data).toHaveLength(1);
    expect((await other.get(path)).status).toBe(404);
    expect((await other.get("/fiat/conversions")).body.data).toEqual([]);
    expect((await other.post(`${path}/cancel`)).status).toBe(404);
    expect((await bound.post(`${path}/cancel`)).status).toBe(200);
  });
});
