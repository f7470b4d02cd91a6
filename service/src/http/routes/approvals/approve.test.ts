import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { outcomeOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { requestSignature, sha256Hex } from "../../../crypto/signing.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

describe("POST /approvals/{approval_id}/approve", () => {
  const harness = useHarness();
  const { query, seedAccount } = accountsOf(harness);

  async function arrange(seed?: Parameters<typeof seedApproval>[2]) {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const approvalId = await seedApproval(harness.app, tenant.tenantId, seed);
    const path = `/approvals/${approvalId}`;
    const written = async () => {
      const [row] = await query(
        `select (select count(*)::integer from audit_entries where tenant_id = $1 and action = 'approval.approved') as entries,
          (select count(*)::integer from events where tenant_id = $1 and type = 'approval.approved') as events`,
        [tenant.tenantId],
      );
      return row;
    };
    return { tenant, approvalId, path, written };
  }

  it("200: with a key, its vote, an audit entry and an event", async () => {
    const { tenant, approvalId, path, written } = await arrange();
    harness.clock.advanceSeconds(10);
    const at = harness.clock.now().toISOString();

    const { status, body } = await tenant.post(`${path}/approve`, { note: "needed" });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      approval_id: approvalId,
      status: "approved",
      votes: [
        {
          decision: "approved",
          by: { type: "developer", id: tenant.tenantId },
          via: "api",
          at,
          note: "needed",
        },
      ],
      decided_at: at,
      updated_at: at,
    });
    expect((await tenant.get(path)).body).toEqual(body);
    expect(await written()).toEqual({ entries: 1, events: 1 });
  });

  it("200: with a dashboard session", async () => {
    const { developerId, as } = await seedAccount();
    const approvalId = await seedApproval(harness.app, developerId as `dev_${string}`);

    const { status, body } = await harness.send({
      method: "POST",
      url: `${PREFIX}/approvals/${approvalId}/approve`,
      headers: { ...as.headers, "x-svc-mode": "live" },
    });

    expect([status, body.status, body.votes[0].via]).toEqual([200, "approved", "dashboard"]);
  });

  it("200 once, then 409: approved by ten callers at once", async () => {
    const { tenant, path, written } = await arrange();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, number) => tenant.post(`${path}/approve`, { note: String(number) })),
    );

    const outcomes = answers.map(outcomeOf).sort(([one], [two]) => one - two);
    expect(outcomes).toEqual([[200, undefined], ...Array(9).fill([409, "conflict"])]);
    expect(await written()).toEqual({ entries: 1, events: 1 });
  });

  it("409 from the second of expires_at, 200 one second before", async () => {
    const early = await arrange({ seconds: 60 });
    const late = await arrange({ seconds: 60 });
    harness.clock.advanceSeconds(59);
    expect((await early.tenant.post(`${early.path}/approve`)).status).toBe(200);

    harness.clock.advanceSeconds(1);
    const refused = await late.tenant.post(`${late.path}/approve`);

    expect(outcomeOf(refused)).toEqual([409, "conflict"]);
    expect(refused.body.detail).toBe("The approval is already expired.");
    expect(await late.written()).toEqual({ entries: 0, events: 0 });
  });

  it("the same bytes for a repeated Idempotency-Key, after a success and after a refusal", async () => {
    const { tenant, path } = await arrange();
    const withKey = (key: string) =>
      tenant.post(`${path}/approve`, { note: key }, { headers: { "idempotency-key": key } });
    const [one, two] = [randomUUID(), randomUUID()];
    const first = await withKey(one);
    const refused = await withKey(two);
    // The same request in the same second would repeat the signature as well.
    harness.clock.advanceSeconds(1);

    const repeated = [await withKey(one), await withKey(two)];

    expect([first.status, refused.status]).toEqual([200, 409]);
    expect(repeated.map(({ text }) => text)).toEqual([first.text, refused.text]);
    expect(repeated.map(({ headers }) => headers["idempotent-replayed"])).toEqual(["true", "true"]);
  });

  it("409 signature_replayed: a captured request with another nonce and Idempotency-Key, although nothing was decided", async () => {
    const { tenant, path } = await arrange();
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const parts = {
      timestamp,
      method: "POST",
      path: `${PREFIX}${path}/approve`,
      bodyHash: sha256Hex("{}"),
    };
    const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
    const send = (key: string) =>
      tenant.sendRaw("POST", `${path}/approve`, "{}", {
        timestamp,
        signature,
        headers: { "idempotency-key": key },
      });
    await query("alter table audit_entries add constraint refuse check (action <> 'approval.approved') not valid");
    expect((await send(randomUUID())).status).toBe(500);
    await query("alter table audit_entries drop constraint refuse");

    expect((await send(randomUUID())).body.code).toBe("signature_replayed");

    expect((await tenant.get(path)).body.status).toBe("pending");
  });

  it.each([{ note: "x".repeat(501) }, { note: 1 }, { note: "\u0000" }, { status: "approved" }])(
    "422: invalid body %j",
    async (body) => {
      const { tenant, path } = await arrange();

      expect(outcomeOf(await tenant.post(`${path}/approve`, body))).toEqual([422, "validation_error"]);
    },
  );
});
