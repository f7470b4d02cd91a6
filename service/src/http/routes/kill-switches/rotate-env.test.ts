import { describe, expect, it, onTestFinished } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { killSwitchesOf } from "../../../../test/kill-switches/kill-switches.ts";
import { auditOf } from "../../../../test/project-seeds.ts";
import { connectTo, seedAgent, servicesOf } from "../../../../test/services.ts";
import type { ServiceProvider } from "../../../ports/service-provider.ts";
import { startPendingOperations } from "../../../workflows/stalled-operations/stalled-operations.ts";

describe("POST /kill-switch with rotate_env", () => {
  const harness = useHarness({ vendors: true });
  const { seed, trigger } = killSwitchesOf(harness);
  const services = servicesOf(harness);

  async function arrange() {
    const tenant = await seed();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    return { tenant, projectId, path, url: body.env.DATABASE_URL as string };
  }

  async function runRotations(projectId: string) {
    harness.clock.advanceSeconds(5);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
  }

  const envOf = (body: { targets: { type: string }[] }) => body.targets.find(({ type }) => type === "project_env");

  it("200: rotates the project's services; blocked_pending until a reconciliation finds them rotated", async () => {
    const { tenant, projectId, path, url } = await arrange();

    const { body } = await trigger(tenant, { scope: "project", id: projectId, rotate_env: true });

    expect(body.status).toBe("blocked_pending");
    expect(envOf(body)).toMatchObject({
      outcome: "blocked_pending",
      detail: expect.stringContaining("is rotated by the operation op_"),
    });
    const reconcile = () => tenant.session.post(`/kill-switch/${body.kill_switch_id}/reconcile`, {});
    await runRotations(projectId);
    await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
    const reconciled = (await reconcile()).body;
    expect([reconciled.status, envOf(reconciled)]).toMatchObject(["completed", { outcome: "killed" }]);
    expect((await tenant.get(path)).body.credential.version).toBe(2);
    const serviceId = path.split("/").at(-1) ?? "";
    const requested = (await auditOf(harness.app, serviceId)).filter(
      ({ action }) => action === "service.rotation_requested",
    );
    expect(requested).toMatchObject([{ facts: { reason: "compromised" } }]);
  });

  it("200: a service whose provider is not configured does not prevent the rotation of the others", async () => {
    const { tenant, projectId } = await arrange();
    await services.linkByToken(tenant, projectId, "acme-db");
    const { body: added } = await services.add(tenant, projectId, {
      ...{ service: "acme-db/postgres", plan: "free" },
    });
    const providers = harness.app.providers as Map<string, ServiceProvider>;
    const acme = providers.get("acme-db");
    onTestFinished(() => void (acme && providers.set("acme-db", acme)));
    providers.delete("acme-db");

    const { body } = await trigger(tenant, { scope: "project", id: projectId, rotate_env: true });

    expect(envOf(body)).toMatchObject({ outcome: "blocked_pending" });
    const { detail } = envOf(body) as unknown as { detail: string };
    expect(detail).toContain("is rotated by the operation op_");
    expect(detail).toContain(`${added.service.service_id}: acme-db is not configured on this server.`);
  });

  it.each([
    { scope: "project", approvals: 1 },
    { scope: "agent", approvals: 0 },
  ] as const)(
    "200: a change of plan that waits for an approval is canceled, and does not prevent the rotation (scope $scope)",
    async ({ scope, approvals }) => {
      const { tenant, projectId, path, url } = await arrange();
      const agentId = await seedAgent(harness.app, { tenantId: tenant.tenantId, mode: "test" });
      const project = { monthly_cap: "1.00", cap_behavior: "require_approval" };
      await tenant.patch(`/projects/${projectId}`, { ...project, agent_ids: [agentId] });
      await services.attachCard(tenant, projectId);
      const { body: waiting } = await tenant.post(`${path}/upgrade`, { plan: "scale" });
      expect(waiting.operation.status).toBe("requires_approval");

      const id = { project: projectId, agent: agentId }[scope];
      const { body } = await trigger(tenant, { scope, id, rotate_env: true });

      expect(body.targets.filter(({ type }: { type: string }) => type === "approval")).toHaveLength(approvals);
      await runRotations(projectId);
      await tenant.session.post(`/kill-switch/${body.kill_switch_id}/reconcile`, {});
      await runRotations(projectId);
      await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
      const { approval_id: approvalId } = waiting.approval;
      const approval = (await tenant.session.get(`/approvals/${approvalId}`)).body;
      expect([approval.status, (await tenant.get(path)).body.plan]).toEqual(["canceled", "free"]);
    },
  );

  it("200: ends a running grace period, and rotates the credential that was published before", async () => {
    const { tenant, projectId, path, url } = await arrange();
    await tenant.post(`${path}/rotate`, {});
    const exposed = (await tenant.get(`/projects/${projectId}/env`)).body.env.DATABASE_URL;
    harness.clock.advanceSeconds(1);

    const { body } = await trigger(tenant, { scope: "project", id: projectId, rotate_env: true });
    await runRotations(projectId);

    for (const former of [url, exposed]) await expect(connectTo(former)).rejects.toMatchObject({ code: "28P01" });
    const reconciled = await tenant.session.post(`/kill-switch/${body.kill_switch_id}/reconcile`, {});
    expect(reconciled.body.status).toBe("completed");
  });
});
