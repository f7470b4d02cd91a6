import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { servicesOf, until } from "../../../test/services.ts";
import { withTransaction } from "../../db/transaction.ts";
import { runOperation } from "../../operations/run-saga-steps.ts";
import { startPendingOperations } from "./stalled-operations.ts";

/** Selects the project's running operations whose workflow is also running. */
const STARTED = `
  select operation_id from operations join dbos.workflow_status on workflow_uuid = operation_id
  where project_id = $1 and operations.status = 'running' and dbos.workflow_status.status = 'PENDING'`;

describe("startPendingOperations", () => {
  /** If true, no workflow can be started, as if the process had crashed right after the commit. */
  let startsFail = false;
  /** The IDs of the operations for which a start was requested. */
  const starts: string[] = [];
  const harness = useHarness({
    vendors: true,
    replace: ({ durable }) => ({
      durable: {
        ...durable,
        run: async (...start) => {
          starts.push(start[1].operationId);
          if (startsFail) throw new Error("the workflow cannot be started");
          await durable.run(...start);
        },
      },
    }),
  });
  const services = servicesOf(harness);

  /** Adds a service whose workflow is not started. */
  async function addWithoutStart() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    startsFail = true;
    const response = await services.add(tenant, projectId);
    startsFail = false;
    const serviceId = response.body.service.service_id as string;
    return { tenant, projectId, response, serviceId };
  }

  it("starts an addition that was stored but not started", async () => {
    const { tenant, projectId, response, serviceId } = await addWithoutStart();
    expect([response.status, response.body.operation.status]).toEqual([202, "running"]);
    expect(response.body.env).toBeNull();

    harness.clock.advanceSeconds(4);
    const requested = starts.length;
    // A process that is not configured with the provider leaves it to others.
    await startPendingOperations({ ...harness.app, providers: new Map() });
    expect(starts).toHaveLength(requested);
    await startPendingOperations(harness.app);

    expect(await services.ended(tenant, response.body.poll_url)).toMatchObject({
      status: "succeeded",
    });
    expect(await services.resourcesOf("neon", [serviceId])).toHaveLength(1);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    expect(Object.keys(env)).toContain("DATABASE_URL");
  });

  it("starts an operation that a process without its provider received, which waits for the end", async () => {
    const { tenant, response } = await addWithoutStart();
    const key = { tenantId: tenant.tenantId, operationId: response.body.operation.operation_id };
    const requested = starts.length;
    const received = { ...harness.app, providers: new Map() };

    await runOperation(received, "service.add", key, 0);
    expect(starts).toHaveLength(requested);
    const waiting = runOperation(received, "service.add", key, 20_000);
    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);
    await waiting;

    const operation = (await tenant.get(`/operations/${key.operationId}`)).body;
    expect(operation.status).toBe("succeeded");
    expect(starts.slice(requested)).toEqual([key.operationId]);
  });

  it("continues at the first step that has not completed", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    const { operation_id: operationId } = body.operation;
    // Simulates a crash before the last step.
    const back = [
      sql`update operations set status = 'running' where operation_id = ${operationId}`,
      sql`update operation_steps set status = 'running' where operation_id = ${operationId} and name = 'audit'`,
      sql`update services set status = 'provisioning' where project_id = ${projectId}`,
    ];
    for (const statement of back) {
      await withTransaction(harness.app.db, tenant.tenantId, (tx) => statement.execute(tx));
    }
    await harness.app.durable.deleteWorkflows([operationId]);

    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);

    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    await expect.poll(async () => (await tenant.get(path)).body.status).toBe("active");
    expect((await tenant.get(`/operations/${operationId}`)).body.status).toBe("succeeded");
  });

  it("ignores operations that are less than three seconds old", async () => {
    const { projectId } = await addWithoutStart();

    harness.clock.advanceSeconds(2);
    await startPendingOperations(harness.app);

    expect((await services.heldFor(projectId)).operations).toMatchObject([
      { status: "running", steps: { kya_gate: "running", policy: "pending" } },
    ]);
    harness.clock.advanceSeconds(2);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
  });

  it("concurrent runs start an operation once", async () => {
    const { projectId, serviceId } = await addWithoutStart();

    harness.clock.advanceSeconds(4);
    await Promise.all(Array.from({ length: 5 }, () => startPendingOperations(harness.app)));

    await services.allEnded(projectId);
    expect(await services.heldFor(projectId)).toMatchObject({
      services: [{ status: "active" }],
      operations: [{ status: "succeeded" }],
    });
    expect(await services.resourcesOf("neon", [serviceId])).toHaveLength(1);
  });

  it("the addition fails if the project is being deleted when it starts", async () => {
    const { projectId, serviceId } = await addWithoutStart();
    await services.rows("update projects set status = 'deleting' where project_id = $1", [projectId]);

    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);

    await services.allEnded(projectId);
    expect(await services.heldFor(projectId)).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed", error: { code: "conflict" }, steps: { policy: "failed" } }],
      secrets: [],
    });
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
  });

  it("starts a removal that was stored but not started", async () => {
    const { tenant, projectId, serviceId } = await addWithoutStart();
    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
    startsFail = true;
    const removal = await tenant.delete(`/projects/${projectId}/services/${serviceId}`);
    startsFail = false;
    expect(removal.body.operation.status).toBe("running");

    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);

    await services.allEnded(projectId);
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
  });

  it("starts a project deletion that was stored but not started", async () => {
    const { tenant, projectId, serviceId } = await addWithoutStart();
    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
    startsFail = true;
    const deletion = await tenant.delete(`/projects/${projectId}`);
    startsFail = false;
    expect([deletion.status, deletion.body.status]).toEqual([200, "deleting"]);

    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);

    await services.allEnded(projectId);
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
    expect((await tenant.get(`/projects/${projectId}`)).status).toBe(404);
  });

  it("ignores operations whose workflow is running, even after a long time", async () => {
    const { tenant, projectId, serviceId } = await addWithoutStart();
    harness.clock.advanceSeconds(4);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
    const operation = "deleteProject";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost", times: 2 });
    const removal = tenant.delete(`/projects/${projectId}/services/${serviceId}`);
    const [running] = await until(
      () => services.rows(STARTED, [projectId]),
      (found) => found.length > 0,
    );
    const { operation_id: operationId } = running;
    const before = starts.length;

    harness.clock.advanceSeconds(3_600);
    await startPendingOperations(harness.app);

    expect((await services.heldFor(projectId)).operations.at(-1).status).toBe("running");
    expect(starts.slice(before)).toEqual([]);
    expect(starts.filter((started) => started === operationId)).toHaveLength(1);
    expect((await removal).body.status).toBe("removed");
  });
});
