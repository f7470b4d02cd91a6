import { afterEach, describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { auditOf } from "../../test/project-seeds.ts";
import { testSaga } from "../../test/test-saga.ts";
import { developerActor } from "../audit/actors.ts";
import { withTransaction } from "../db/transaction.ts";
import type { OperationId, TenantId } from "../foundation/ids.ts";
import { VendorError } from "../ports/vendor-error.ts";
import { startPendingOperations } from "../workflows/stalled-operations/stalled-operations.ts";
import { createOperation } from "./operations.ts";
import { resumeOperation } from "./resume-operation.ts";
import { runOperation } from "./run-saga-steps.ts";

const AGENT = "5a9d0c1e-7b1f-4c58-9d6b-0f3a6c2e8b41";

describe("a saga whose subject has no project", () => {
  const resources = new Map<string, string>();
  const findCalls = new Map<string, number>();
  let isRejected = false;
  let isUnapproved = false;
  let creations = 0;
  let failure: VendorError | undefined;
  let creationAllowed: Promise<void> | undefined;
  const saga = testSaga(
    {
      find: async (operationId) => {
        findCalls.set(operationId, (findCalls.get(operationId) ?? 0) + 1);
        return resources.get(operationId);
      },
      make: async (operationId) => {
        creations += 1;
        await creationAllowed;
        if (failure !== undefined) throw failure;
        resources.set(operationId, `thing of ${operationId}`);
        return `thing of ${operationId}`;
      },
      destroy: async (operationId) => void resources.delete(operationId),
    },
    { isRefused: () => isRejected, needsApproval: () => isUnapproved },
  );
  const harness = useHarness({
    vendors: true,
    sagas: [saga],
    settings: { vendorAttempts: { brief: 2, long: 4 }, vendorSettleMs: 10_000 },
  });

  afterEach(() => {
    creations = 0;
    isRejected = false;
    isUnapproved = false;
    failure = undefined;
    creationAllowed = undefined;
  });

  async function begin(tenantId: TenantId): Promise<OperationId> {
    const request = { network: "127.0.0.0/24", requestId: "req_drill" };
    const actor = developerActor({ tenantId, mode: "live" }, request);
    const work = { kind: saga, subject: { type: "agent", id: AGENT }, projectId: null };
    return withTransaction(harness.app.db, tenantId, (tx) => createOperation(tx, harness.app, actor, work));
  }

  const run = (tenantId: TenantId, operationId: OperationId, waitMs?: number) =>
    runOperation(harness.app, saga.type, { tenantId, operationId }, waitMs);

  const stepsOf = ({ steps }: { steps: { name: string; status: string }[] }) =>
    steps.map(({ name, status }) => `${name} ${status}`);

  it("200: returns the operation by its ID, while it runs and after it has succeeded", async () => {
    const tenant = await harness.seedTenant();
    let allowCreation = () => {};
    creationAllowed = new Promise((resolve) => {
      allowCreation = resolve;
    });
    const operationId = await begin(tenant.tenantId);
    await run(tenant.tenantId, operationId, 0);
    const read = async () => (await tenant.get(`/operations/${operationId}`)).body;

    await expect
      .poll(async () => stepsOf(await read()))
      .toEqual(["reserve succeeded", "skipped skipped", "order running", "record pending"]);
    expect(await read()).toMatchObject({
      type: "drill.run",
      status: "running",
      subject: { type: "agent", id: AGENT },
      project_id: null,
      service_id: null,
      poll_url: `/api/v1/svc/operations/${operationId}`,
    });

    allowCreation();
    await expect.poll(async () => (await read()).status).toBe("succeeded");
    expect(stepsOf(await read())).toEqual([
      "reserve succeeded",
      "skipped skipped",
      "order succeeded",
      "record succeeded",
    ]);
    expect((await read()).poll_url).toBeNull();
    expect([...resources.keys()]).toContain(operationId);
  });

  it("compensated: a later step fails, so the vendor step and the database steps are undone", async () => {
    const tenant = await harness.seedTenant();
    isRejected = true;
    const operationId = await begin(tenant.tenantId);

    await run(tenant.tenantId, operationId);

    const { body } = await tenant.get(`/operations/${operationId}`);
    expect(body).toMatchObject({
      status: "compensated",
      error: {
        code: "conflict",
        detail: "The drill ends here.",
        request_id: "req_drill",
        decision: { available: "1.00", required: "2.50" },
        next_action: { type: "add_funds", actor: "human" },
      },
    });
    expect(stepsOf(body)).toEqual(["reserve compensated", "skipped skipped", "order compensated", "record failed"]);
    expect(resources.has(operationId)).toBe(false);
  });

  it("does nothing if the operation has already ended", async () => {
    const tenant = await harness.seedTenant();
    isRejected = true;
    const operationId = await begin(tenant.tenantId);
    await run(tenant.tenantId, operationId);
    const { body: ended } = await tenant.get(`/operations/${operationId}`);
    isRejected = false;

    await harness.app.durable.deleteWorkflows([operationId]);
    await run(tenant.tenantId, operationId);

    expect((await tenant.get(`/operations/${operationId}`)).body).toEqual(ended);
    expect(resources.has(operationId)).toBe(false);
  });

  describe("a step requires an approval", () => {
    const resume = (tenantId: TenantId) =>
      withTransaction(harness.app.db, tenantId, (tx) =>
        resumeOperation(tx, harness.app, { tenantId, type: saga.type, subjectId: AGENT }),
      );

    it("requires_approval: nothing runs until it is resumed, then all steps run once", async () => {
      const tenant = await harness.seedTenant();
      isUnapproved = true;
      const operationId = await begin(tenant.tenantId);
      const read = async () => (await tenant.get(`/operations/${operationId}`)).body;

      await run(tenant.tenantId, operationId);
      await run(tenant.tenantId, operationId);

      const waiting = await read();
      expect(waiting).toMatchObject({ status: "requires_approval", error: null });
      expect(waiting.poll_url).toBe(`/api/v1/svc/operations/${operationId}`);
      expect(stepsOf(waiting)).toEqual(["reserve running", "skipped pending", "order pending", "record pending"]);
      expect(creations).toBe(0);

      isUnapproved = false;
      const resumed = await Promise.all(Array.from({ length: 5 }, () => resume(tenant.tenantId)));
      expect(resumed.filter((id) => id !== undefined)).toEqual([operationId]);
      await run(tenant.tenantId, operationId);
      expect(await read()).toMatchObject({ status: "succeeded", poll_url: null });
      expect(creations).toBe(1);
    });

    it("requires_approval again: the first step asks once more after it was resumed", async () => {
      const tenant = await harness.seedTenant();
      isUnapproved = true;
      const operationId = await begin(tenant.tenantId);
      for (let round = 0; round < 3; round += 1) {
        await run(tenant.tenantId, operationId);
        const { body } = await tenant.get(`/operations/${operationId}`);
        expect(body.status).toBe("requires_approval");
        expect(await resume(tenant.tenantId)).toBe(operationId);
      }
      expect(await resume(tenant.tenantId)).toBeUndefined();
    });

    it("a job starts an operation whose process crashed after it was resumed", async () => {
      const tenant = await harness.seedTenant();
      isUnapproved = true;
      const operationId = await begin(tenant.tenantId);
      await run(tenant.tenantId, operationId);
      isUnapproved = false;
      await resume(tenant.tenantId);
      harness.clock.advanceSeconds(10);

      await startPendingOperations(harness.app);

      await expect.poll(async () => (await tenant.get(`/operations/${operationId}`)).body.status).toBe("succeeded");
    });
  });

  it.each([
    ["rate_limited", 2],
    ["unavailable", 2],
  ] as const)("compensated: the vendor fails every creation with %s", async (failed, times) => {
    const tenant = await harness.seedTenant();
    failure = new VendorError(failed, { vendor: "drill", operation: "make" });
    const operationId = await begin(tenant.tenantId);

    await run(tenant.tenantId, operationId);

    const { body } = await tenant.get(`/operations/${operationId}`);
    expect(body).toMatchObject({
      status: "compensated",
      error: { code: "provider_unavailable" },
    });
    expect(creations).toBe(times);
  });

  it("creates the resource once if an attempt's outcome is unknown, and waits until that attempt can no longer take effect", async () => {
    const tenant = await harness.seedTenant();
    failure = new VendorError("unknown", { vendor: "drill", operation: "make" });
    const operationId = await begin(tenant.tenantId);
    const findCount = () => findCalls.get(operationId) ?? 0;

    await run(tenant.tenantId, operationId, 0);

    await expect.poll(findCount).toBeGreaterThan(2);
    expect(creations).toBe(1);
    resources.set(operationId, "made late");
    await expect.poll(async () => (await tenant.get(`/operations/${operationId}`)).body.status).toBe("succeeded");
    expect(creations).toBe(1);
  });

  it("needs_operator: the vendor rejects the call that undoes a step", async () => {
    const tenant = await harness.seedTenant();
    failure = new VendorError("refused", { vendor: "drill", operation: "make" });
    const destroy = resources.delete.bind(resources);
    resources.delete = () => {
      throw new VendorError("unauthorized", { vendor: "drill", operation: "destroy" });
    };
    const operationId = await begin(tenant.tenantId);

    await run(tenant.tenantId, operationId);
    resources.delete = destroy;

    const { body } = await tenant.get(`/operations/${operationId}`);
    expect(body).toMatchObject({ status: "needs_operator", error: { code: "provider_error" } });
    expect(stepsOf(body)).toEqual(["reserve succeeded", "skipped skipped", "order failed", "record pending"]);
    expect((await auditOf(harness.app, operationId)).map(({ action }) => action)).toEqual(["operation.needs_operator"]);
  });

  it("403: the key lacks the scope of the operation type", async () => {
    const tenant = await harness.seedTenant();
    const operationId = await begin(tenant.tenantId);
    const key = await harness.seedKey(tenant.tenantId, { scopes: ["projects:read"] });

    const { status, body } = await key.get(`/operations/${operationId}`);

    expect([status, body.code]).toEqual([403, "insufficient_scope"]);
  });

  it("404: the key is bound to a different agent", async () => {
    const tenant = await harness.seedTenant();
    const operationId = await begin(tenant.tenantId);
    const other = "0e6f2c5a-1111-4c58-9d6b-0f3a6c2e8b41";
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [other] });
    const own = await harness.seedKey(tenant.tenantId, { agentIds: [AGENT] });

    const refused = await bound.get(`/operations/${operationId}`);

    expect([refused.status, refused.body.code]).toEqual([404, "operation_not_found"]);
    expect((await own.get(`/operations/${operationId}`)).status).toBe(200);
  });
});
