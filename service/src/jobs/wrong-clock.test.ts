import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { seedCharge, seedService } from "../../test/project-seeds.ts";
import { invariant } from "../foundation/invariant.ts";
import { workerJobs } from "./jobs.ts";

const MONTH_SECONDS = 31 * 24 * 60 * 60;

describe("jobs of a process whose clock is wrong", () => {
  const harness = useHarness();

  it("open-months and settle-due-charges do nothing", async () => {
    const { app } = harness;
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const { body } = await tenant.post("/projects", { name: "clock" });
    const project = { tenantId, projectId: body.project_id as string };
    const acme = { provider: "acme-db", service: "acme-db/postgres", plan: "standard" };
    const serviceId = await seedService(app, { ...project, ...acme });
    const reserved = { serviceId, provider: "acme-db", status: "reserved" as const };
    await seedCharge(app, { ...project, ...reserved, amountCents: 1000n });
    const statuses = async () => {
      const rows = await app.db
        .selectFrom("charges")
        .select("status")
        .where("tenantId", "=", tenantId)
        .orderBy("periodStart")
        .execute();
      return rows.map(({ status }) => status);
    };
    const runBoth = async () => {
      for (const name of ["open-months", "settle-due-charges"]) {
        const job = workerJobs(app).find((one) => one.name === name);
        invariant(job !== undefined, `the job ${name} exists`);
        await job.run();
      }
    };

    harness.clock.advanceSeconds(MONTH_SECONDS);
    app.health.refusal = "the clocks differ";
    await runBoth();
    expect(await statuses()).toEqual(["reserved"]);

    app.health.refusal = null;
    await runBoth();
    expect(await statuses()).toEqual(["succeeded", "reserved"]);
  });
});
