import { afterEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { asSuperuser, auditOf } from "../../../test/project-seeds.ts";
import { servicesOf, until } from "../../../test/services.ts";
import type { DurableWorkflow } from "../../durable/durable-execution.ts";
import { escalateStuckOperations } from "./stalled-operations.ts";

/** Selects the statements that are waiting for a lock. */
const WAITING = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

describe("escalateStuckOperations", () => {
  /** If true, every workflow fails outside its saga, as it would after an internal error. */
  let workflowsBreak = false;
  const breakable =
    (workflow: DurableWorkflow): DurableWorkflow =>
    async (context, input) => {
      if (workflowsBreak) throw new Error("internal error");
      await workflow(context, input);
    };
  const harness = useHarness({
    vendors: true,
    settings: { syncWaitMs: 1_000 },
    replace: ({ durable }) => ({
      durable: {
        ...durable,
        launch: (workflows) => {
          const broken = Object.entries(workflows).map(([name, run]) => [name, breakable(run)]);
          return durable.launch(Object.fromEntries(broken));
        },
      },
    }),
  });
  const services = servicesOf(harness);
  const { heldFor, resourcesOf } = services;

  afterEach(() => {
    workflowsBreak = false;
  });

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    return { tenant, projectId, serviceId, path: `/projects/${projectId}/services/${serviceId}` };
  }

  const lastOperation = async (projectId: string) => (await heldFor(projectId)).operations.at(-1);

  /** Returns the workflow's status in the engine, or undefined if the workflow does not exist. */
  async function endOf(operationId: string): Promise<string | undefined> {
    const [row] = await services.rows("select status from dbos.workflow_status where workflow_uuid = $1", [
      operationId,
    ]);
    return row?.status;
  }

  /** Runs `call` while workflows fail, and waits until the workflow that `call` started has failed. */
  async function whileWorkflowsBreak<Result>(projectId: string, call: () => Promise<Result>): Promise<Result> {
    workflowsBreak = true;
    const response = await call();
    const { operation_id: operationId } = await lastOperation(projectId);
    await until(
      () => endOf(operationId),
      (end) => end === "ERROR",
    );
    workflowsBreak = false;
    return response;
  }

  const alarmsOf = (operationId: string) =>
    harness.logLines.filter((line) => line.includes(operationId) && line.includes("operator action required"));

  it("needs_operator: the workflow ended more than a minute ago", async () => {
    const { tenant, projectId, path } = await arrange();
    const removal = await whileWorkflowsBreak(projectId, () => tenant.delete(path));
    const { operation_id: operationId, status } = removal.body.operation;
    expect([removal.status, status]).toEqual([200, "running"]);

    harness.clock.advanceSeconds(59);
    await escalateStuckOperations(harness.app);
    expect(await lastOperation(projectId)).toMatchObject({ status: "running" });
    harness.clock.advanceSeconds(2);
    await escalateStuckOperations(harness.app);

    const { body } = await tenant.get(`/projects/${projectId}/operations/${operationId}`);
    expect(body).toMatchObject({
      status: "needs_operator",
      error: { code: "internal_error" },
      poll_url: null,
    });
    expect(await auditOf(harness.app, operationId)).toMatchObject([
      { action: "operation.needs_operator", facts: { code: "internal_error" } },
    ]);
    expect(alarmsOf(operationId)).toHaveLength(1);
  });

  it("concurrent runs escalate an operation once", async () => {
    const { tenant, projectId, path } = await arrange();
    await whileWorkflowsBreak(projectId, () => tenant.delete(path));
    harness.clock.advanceSeconds(61);

    const { operation_id: operationId } = await lastOperation(projectId);
    await asSuperuser(harness.database.superuserUrl, async (client) => {
      // This lock prevents each run from changing the operation. It is released when all runs have found the operation
      // and wait for the lock.
      await client.query("begin");
      await client.query("select from operations where operation_id = $1 for update", [operationId]);
      const runs = Array.from({ length: 4 }, () => escalateStuckOperations(harness.app));
      await until(
        () => services.rows(WAITING),
        (found) => found.length === runs.length,
      );
      await client.query("commit");
      await Promise.all(runs);
    });

    const { status } = await lastOperation(projectId);
    expect(status).toBe("needs_operator");
    expect(await auditOf(harness.app, operationId)).toHaveLength(1);
    expect(alarmsOf(operationId)).toHaveLength(1);
  });

  it("a service whose removal was escalated can be removed", async () => {
    const { tenant, projectId, serviceId, path } = await arrange();
    await whileWorkflowsBreak(projectId, () => tenant.delete(path));
    harness.clock.advanceSeconds(61);
    await escalateStuckOperations(harness.app);

    const { status, body } = await tenant.delete(path);

    expect([status, body.status]).toEqual([200, "removed"]);
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
    expect((await heldFor(projectId)).operations.map((held) => held.status)).toEqual([
      "succeeded",
      "needs_operator",
      "succeeded",
    ]);
  });

  it("an escalated addition is returned for the same Idempotency-Key, and the service can be removed", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const call = { headers: { "idempotency-key": "6b2f6c0e-9d2a-4d43-8a3f-5a0f6f0f9f11" } };
    const first = await whileWorkflowsBreak(projectId, () => services.add(tenant, projectId, {}, call));
    expect([first.status, first.body.operation.status]).toEqual([202, "running"]);
    const path = `/projects/${projectId}/services/${first.body.service.service_id}`;
    expect((await tenant.delete(path)).status).toBe(409);

    harness.clock.advanceSeconds(61);
    await escalateStuckOperations(harness.app);

    const again = await services.add(tenant, projectId, {}, call);
    expect([again.status, again.body.operation.status]).toEqual([202, "needs_operator"]);
    expect((await tenant.delete(path)).body.status).toBe("removed");
  });

  it("an escalated deletion sets the project to delete_failed, and the project can be deleted", async () => {
    const { tenant, projectId, serviceId } = await arrange();
    const path = `/projects/${projectId}`;
    const first = await whileWorkflowsBreak(projectId, () => tenant.delete(path));
    expect([first.status, first.body.status]).toEqual([200, "deleting"]);

    harness.clock.advanceSeconds(61);
    await escalateStuckOperations(harness.app);

    expect((await tenant.get(path)).body.status).toBe("delete_failed");
    expect(await lastOperation(projectId)).toMatchObject({ status: "needs_operator" });
    const again = await tenant.delete(path);
    expect([again.status, again.body.status]).toEqual([200, "deleted"]);
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
  });

  it("needs_operator: the engine exceeded its recovery attempts", async () => {
    const { tenant, projectId, path } = await arrange();
    await whileWorkflowsBreak(projectId, () => tenant.delete(path));
    const { operation_id: operationId } = await lastOperation(projectId);
    await services.rows(
      `update dbos.workflow_status set status = 'MAX_RECOVERY_ATTEMPTS_EXCEEDED'
       where workflow_uuid = $1`,
      [operationId],
    );
    harness.clock.advanceSeconds(61);

    await escalateStuckOperations(harness.app);

    expect(await lastOperation(projectId)).toMatchObject({ status: "needs_operator" });
  });

  it("ignores operations whose workflow is still running, and operations that succeeded", async () => {
    const { tenant, projectId, path } = await arrange();
    const operation = "deleteProject";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost", times: 3 });
    const removal = await tenant.delete(path);
    const { operation_id: operationId } = removal.body.operation;
    expect(await endOf(operationId)).toBe("PENDING");
    harness.clock.advanceSeconds(3_600);

    await escalateStuckOperations(harness.app);

    expect(await lastOperation(projectId)).toMatchObject({ status: "running" });
    await services.allEnded(projectId);
    harness.clock.advanceSeconds(3_600);
    await escalateStuckOperations(harness.app);
    expect((await heldFor(projectId)).operations.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(alarmsOf(operationId)).toEqual([]);
  });
});
