import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { outcomeOf } from "../../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import type { TenantId } from "../../../foundation/ids.ts";

describe("POST /payments/{payment_id}/capture, void and refund with a dashboard session", () => {
  const harness = useHarness();
  const { arrange: arrangeTenant } = paymentsOf(harness);
  const { seedAccount } = accountsOf(harness);

  async function arrange() {
    const { developerId, accessToken } = await seedAccount();
    const arranged = await arrangeTenant({ tenantId: developerId as TenantId, cap: "50.00" });
    const act = (
      action: string,
      paymentId: string,
      { headers = {}, body = {} }: { readonly headers?: Readonly<Record<string, string>>; readonly body?: object } = {},
    ) =>
      harness.send({
        method: "POST",
        url: `${PREFIX}/payments/${paymentId}/${action}`,
        headers: {
          authorization: `Bearer ${accessToken}`,
          "content-type": "application/json",
          "x-svc-mode": "test",
          ...headers,
        },
        payload: JSON.stringify(body),
      });
    return { ...arranged, accessToken, act };
  }

  it.each([
    { action: "capture", status: "authorized", whole: 90, part: 86 },
    { action: "refund", status: "confirmed", whole: 100, part: 94 },
  ] as const)(
    "200: $action, as the developer, all or a part; the same key moves money once",
    async ({ action, status, whole, part }) => {
      const { act, seed, state, events, entries } = await arrange();
      const first = await seed({ status });
      const headers = { "idempotency-key": randomUUID() };

      const changed = await act(action, first, { headers });

      expect([changed.status, (await state()).balance]).toEqual([200, whole]);
      expect(await events(first)).toMatchObject([{ actor: "developer" }]);
      expect(await entries(first)).toMatchObject([{ actor: "developer" }]);
      const repeated = await act(action, first, { headers });
      expect([repeated.text, repeated.headers["idempotent-replayed"]]).toEqual([changed.text, "true"]);
      expect((await state()).balance).toBe(whole);
      const second = await seed({ status });
      expect((await act(action, second, { body: { amount: "4.00" } })).status).toBe(200);
      expect((await state()).balance).toBe(part);
    },
  );

  it("200: void releases what is held, without an Idempotency-Key; 409 the second time", async () => {
    const { act, seed, state } = await arrange();
    const paymentId = await seed();

    expect((await act("void", paymentId)).body.status).toBe("voided");
    expect(outcomeOf(await act("void", paymentId))).toEqual([409, "conflict"]);
    expect(await state()).toEqual({ balance: 100, held: 0, openHolds: 0, openReservations: 0 });
  });

  it("404: another account's payment, one of the other mode, and one of another agent than X-Agent-ID names", async () => {
    const { act, seed, payee, state } = await arrange();
    const other = await arrange();
    const [own, foreign] = [await seed(), await other.seed()];

    for (const action of ["capture", "void", "refund"]) {
      for (const refused of [
        await act(action, foreign),
        await act(action, own, { headers: { "x-svc-mode": "live" } }),
        await act(action, own, { headers: { "x-agent-id": randomUUID() } }),
      ]) {
        expect(outcomeOf(refused)).toEqual([404, "payment_not_found"]);
      }
    }
    expect(outcomeOf(await act("capture", own, { headers: { "x-agent-id": payee.agentId } }))[0]).toBe(404);
    expect([await state(), await other.state()]).toMatchObject([{ held: 10 }, { held: 10 }]);
  });

  it("403: a cookie in a request of another site; 401: without X-Svc-Mode", async () => {
    const { act, seed, accessToken, state } = await arrange();
    const paymentId = await seed();
    const byCookie = { cookie: `svc_access=${accessToken}`, origin: "https://attacker.example" };
    const send = (headers: Readonly<Record<string, string>>) =>
      harness.send({ method: "POST", url: `${PREFIX}/payments/${paymentId}/capture`, headers });

    expect(outcomeOf(await send({ ...byCookie, "x-svc-mode": "test" }))).toEqual([403, "cross_origin"]);
    expect(outcomeOf(await send({ authorization: `Bearer ${accessToken}` }))).toEqual([401, "authentication_failed"]);
    expect((await act("capture", paymentId, { headers: { "x-svc-mode": "both" } })).status).toBe(401);
    expect(await state()).toMatchObject({ held: 10 });
  });

  it("409: an authorization that has expired, with an entry and an event about the refusal", async () => {
    const { act, seed, events } = await arrange();
    const paymentId = await seed({ seconds: 60 });
    harness.clock.advanceSeconds(60);

    expect(outcomeOf(await act("capture", paymentId))).toEqual([409, "conflict"]);
    expect(await events(paymentId)).toMatchObject([{ type: "payment.capture_refused", actor: "developer" }]);
  });

  it("409: a signed call whose signature was used, also after a session's call with the same Idempotency-Key", async () => {
    const { tenant, act, seed, payer } = await arrange();
    const [paymentId, other] = [await seed(), await seed()];
    const key = randomUUID();
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1_000));
    const headers = { "x-agent-id": payer.agentId };
    const sign = (id: string, more: object = {}) =>
      tenant.post(`/payments/${id}/capture`, { amount: "1.00" }, { timestamp, headers: { ...headers, ...more } });

    expect((await sign(paymentId)).status).toBe(200);
    expect(outcomeOf(await sign(paymentId, { "idempotency-key": key }))).toEqual([409, "signature_replayed"]);
    expect((await act("capture", other, { headers: { "idempotency-key": key } })).status).toBe(200);
    expect(outcomeOf(await sign(other, { "idempotency-key": key }))[0]).toBe(422);
  });
});
