import { randomUUID } from "node:crypto";
import { get } from "node:http";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { outcomeOf, seedApproval } from "../../../../test/approvals/seed-approval.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { seedAgent } from "../../../../test/services.ts";
import { requestSignature, sha256Hex } from "../../../crypto/signing.ts";
import { newId } from "../../../foundation/ids.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";
import { wakeWaitingCallers } from "../../../modules/approvals/get-approval.ts";

describe("GET /approvals/{approval_id}", () => {
  const harness = useHarness();

  /** Resolves when this number of callers wait. */
  async function untilWaiting(count: number): Promise<void> {
    while (harness.app.waitingCallers.count < count) await new Promise(setImmediate);
  }

  it("200: everything that a person needs to decide, and no token", async () => {
    const tenant = await harness.seedTenant();
    const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId });
    const id = await seedApproval(harness.app, tenant.tenantId, { agentId });

    const { status, body, text } = await tenant.get(`/approvals/${id}`);

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "approval",
      approval_id: id,
      mode: "live",
      status: "pending",
      subject: { type: "test_purchase", id: "tpu_1" },
      agent_id: agentId,
      summary: {
        title: "Add neon/postgres",
        amount: "20.00",
        currency: "usd",
        payee: "neon",
        reason: "the tests need a database",
        line_items: [{ description: "Launch plan, a month", amount: "20.00" }],
        risk_flags: ["new_payee"],
      },
      approve_url: `/api/v1/svc/approvals/${id}/approve`,
      approve_page_url: `http://purser.test/approve/${id}`,
      requested_by: { type: "agent", id: agentId },
      approvers: ["role:owner"],
      votes: [],
      rules: [{ policy_id: "pol_1", policy_version: 3, rule_id: "big" }],
      expires_at: "2026-11-21T11:00:00.000Z",
      decided_at: null,
      long_poll_url: `/api/v1/svc/approvals/${id}?wait_seconds=30`,
      created_at: "2026-11-21T10:00:00.000Z",
      updated_at: "2026-11-21T10:00:00.000Z",
    });
    expect(text).not.toMatch(/token/);
  });

  it("200: pending one second before expires_at, and expired from that second", async () => {
    const tenant = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId, { seconds: 60 });
    harness.clock.advanceSeconds(59);
    expect((await tenant.get(`/approvals/${id}`)).body.status).toBe("pending");

    harness.clock.advanceSeconds(1);
    const { body } = await tenant.get(`/approvals/${id}?wait_seconds=30`);

    expect([body.status, body.decided_at]).toEqual(["expired", body.expires_at]);
  });

  it("200: a waiting caller gets the decision", async () => {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const id = await seedApproval(harness.app, tenant.tenantId);
    const waiting = tenant.get(`/approvals/${id}?wait_seconds=30`);
    await untilWaiting(1);

    await tenant.post(`/approvals/${id}/approve`);

    expect((await waiting).body).toMatchObject({ approval_id: id, status: "approved" });
    expect(harness.app.waitingCallers.count).toBe(0);
  });

  it("200: a waiting caller gets a decision made by another process, and the expiry", async () => {
    const tenant = await harness.seedTenant();
    const decided = await seedApproval(harness.app, tenant.tenantId);
    const expiring = await seedApproval(harness.app, tenant.tenantId, { seconds: 60 });
    const pending = await seedApproval(harness.app, tenant.tenantId);
    const waiting = [decided, expiring, expiring].map((id) => tenant.get(`/approvals/${id}?wait_seconds=30`));
    const leftWaiting = tenant.get(`/approvals/${pending}?wait_seconds=30`);
    await untilWaiting(4);
    await denyElsewhere(tenant.tenantId, decided);
    harness.clock.advanceSeconds(60);

    expect(await wakeWaitingCallers(harness.app)).toBe(2);

    const statuses = (await Promise.all(waiting)).map(({ body }) => body.status);
    expect(statuses).toEqual(["denied", "expired", "expired"]);
    expect(harness.app.waitingCallers.count).toBe(1);
    harness.app.waitingCallers.wake(pending);
    expect((await leftWaiting).body.status).toBe("pending");
  });

  it("a caller that disconnects no longer waits", async () => {
    const tenant = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId);
    const url = `${await harness.server.listen({ host: "127.0.0.1", port: 0 })}${PREFIX}`;
    const path = `/approvals/${id}?wait_seconds=30`;
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    const parts = { timestamp, method: "GET", path: PREFIX + path, bodyHash: sha256Hex("") };
    const request = get(url + path, {
      headers: {
        authorization: tenant.apiKey,
        "x-nonce": randomUUID(),
        "x-timestamp": timestamp,
        "x-request-signature": requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex"),
      },
    });
    request.on("error", () => {});
    await untilWaiting(1);

    request.destroy();

    while (harness.app.waitingCallers.count > 0) await new Promise(setImmediate);
  });

  it("200: still pending after the time is over", async () => {
    const tenant = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId);

    expect((await tenant.get(`/approvals/${id}?wait_seconds=1`)).body.status).toBe("pending");
  });

  it("404: approval of another tenant, mode or agent, or unknown id", async () => {
    const tenant = await harness.seedTenant();
    const [own, foreign] = [
      await seedAgent(harness.app, { tenantId: tenant.tenantId }),
      await seedAgent(harness.app, { tenantId: tenant.tenantId }),
    ];
    const id = await seedApproval(harness.app, tenant.tenantId, { agentId: foreign });
    const callers = [
      await harness.seedTenant(),
      await harness.seedKey(tenant.tenantId, { mode: "test" }),
      await harness.seedKey(tenant.tenantId, { agentIds: [own] }),
    ];

    for (const caller of callers) {
      const response = await caller.get(`/approvals/${id}?wait_seconds=30`);
      expect(outcomeOf(response)).toEqual([404, "approval_not_found"]);
    }
    for (const unknown of [newId("apr"), "apr_1", newId("op")]) {
      expect((await tenant.get(`/approvals/${unknown}`)).status).toBe(404);
    }
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [foreign] });
    expect((await bound.get(`/approvals/${id}`)).status).toBe(200);
  });

  it.each(["-1", "31", "1.5", "x"])("422: wait_seconds=%s", async (seconds) => {
    const tenant = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId);

    const response = await tenant.get(`/approvals/${id}?wait_seconds=${seconds}`);

    expect(outcomeOf(response)).toEqual([422, "validation_error"]);
  });

  it("429: 100 callers of the tenant already wait; other tenants still can", async () => {
    const tenant = await harness.seedTenant();
    const other = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId);
    const foreign = await seedApproval(harness.app, other.tenantId);
    const path = `/approvals/${id}?wait_seconds=30`;
    const waiting = Array.from({ length: 100 }, () => tenant.get(path));
    await untilWaiting(100);

    const refused = await tenant.get(path);
    const waitingElsewhere = other.get(`/approvals/${foreign}?wait_seconds=30`);
    await untilWaiting(101);

    expect(outcomeOf(refused)).toEqual([429, "rate_limited"]);
    expect(refused.headers["retry-after"]).toBe("5");
    expect((await tenant.get(`/approvals/${id}`)).status).toBe(200);
    harness.app.waitingCallers.wake(id);
    harness.app.waitingCallers.wake(foreign);
    const answers = await Promise.all([...waiting, waitingElsewhere]);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  /** Changes the row, as another process does. */
  async function denyElsewhere(tenantId: string, approvalId: string): Promise<void> {
    const { query } = accountsOf(harness);
    await query(
      "update approvals set status = 'denied', decided_at = now() where tenant_id = $1 and approval_id = $2",
      [tenantId, approvalId],
    );
  }
});

describe("waiting callers of a server with few database connections", () => {
  const harness = useHarness({ environment: { DATABASE_CONNECTIONS_MAX: "2" } });

  it("use no connection: other requests are answered; all get an answer at shutdown", async () => {
    const tenant = await harness.seedTenant();
    const id = await seedApproval(harness.app, tenant.tenantId);
    await harness.server.listen({ host: "127.0.0.1", port: 0 });
    const waiting = Array.from({ length: 50 }, () => tenant.get(`/approvals/${id}?wait_seconds=30`));
    while (harness.app.waitingCallers.count < 50) await new Promise(setImmediate);

    expect((await tenant.post("/projects", { name: "meanwhile" })).status).toBe(201);

    await harness.server.close();
    const answers = await Promise.all(waiting);
    expect(answers.map(({ status, body }) => [status, body.status])).toEqual(Array(50).fill([200, "pending"]));
  });
});
