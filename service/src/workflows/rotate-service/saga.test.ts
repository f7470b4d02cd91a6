import { OUTCOMES as ALL_OUTCOMES } from "@purser/simulators/kit/outcome.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { adminsOf } from "../../../test/admins.ts";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { connectTo, servicesOf } from "../../../test/services.ts";
import { runDueWork } from "../../due-work/run-due-work.ts";
import type { RotatedCredentials, ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { retireDueCredentials } from "./retire-credentials.ts";

const VENDOR_TIMEOUT_MS = 400;
/** The delay of a late response. It is longer than the adapters' timeout, but the vendor still executes the call. */
const TOO_LATE_MS = 800;
const ONE = [{ one: 1 }];

const OUTCOMES = ALL_OUTCOMES.filter((outcome) => outcome !== "ok" && outcome !== "duplicate");
/** The normal suite tests all outcomes for calls that change something, and these for the others. */
const OUTCOMES_OF_READS = isCampaign ? OUTCOMES : (["timeout_lost", "refused"] as const);

/** The calls of a rotation. `isAfter`: whether the new credential has already been published. */
const CALLS = [
  { operation: "listProjectBranches", outcomes: OUTCOMES_OF_READS },
  { operation: "listProjectBranchRoles", outcomes: OUTCOMES_OF_READS },
  { operation: "createProjectBranchRole", outcomes: [...OUTCOMES, "duplicate"] },
  { operation: "getProjectOperation", outcomes: OUTCOMES_OF_READS },
  { operation: "getProject", outcomes: OUTCOMES_OF_READS },
  { operation: "getConnectionURI", outcomes: OUTCOMES_OF_READS },
  { operation: "resetProjectBranchRolePassword", outcomes: OUTCOMES },
] as const;

/** Less than the sum of the pauses between the attempts. */
const SETTLE_MS = 250;

describe("rotateServiceSaga", () => {
  const harness = useHarness({
    vendors: true,
    settings: {
      vendorRetryMs: 50,
      vendorSettleMs: SETTLE_MS,
      vendorAttempts: { brief: 3, long: 4 },
    },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);
  const admins = adminsOf(harness);

  beforeAll(async () => {
    await services.callEachVendorOnce();
    const { rotate } = await arrange();
    await rotate();
  });

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    await services.allEnded(projectId);
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    const publishedUrl = async () => (await tenant.get(`/projects/${projectId}/env`)).body.env.DATABASE_URL as string;
    const rotate = () => tenant.post(`${path}/rotate`, { grace_period_seconds: 0 });
    return { tenant, projectId, path, publishedUrl, rotate, url: await publishedUrl() };
  }

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  describe.each(CALLS)("when neon's $operation", ({ operation, outcomes }) => {
    it.each([...outcomes])(
      "is %s: the published credential works, and no other one after a completed rotation",
      async (outcome) => {
        const { tenant, projectId, path, publishedUrl, rotate, url } = await arrange();
        harness.sandbox.force({ vendor: "neon", operation, outcome, delayMs: TOO_LATE_MS });

        const response = await rotate();
        await services.allEnded(projectId);

        const published = await publishedUrl();
        expect(await connectTo(published)).toEqual(ONE);
        const { status } = (await services.heldFor(projectId)).operations.at(-1);
        const service = (await tenant.get(path)).body;
        const isAfterPublication = operation === "resetProjectBranchRolePassword";
        if (outcome !== "refused") {
          expect([response.status, response.body.status, status]).toEqual([...[200, "completed", "succeeded"]]);
          await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
          expect([service.status, service.credential.version]).toEqual(["active", 2]);
        } else if (isAfterPublication) {
          expect([response.status, status, service.status]).toEqual([...[200, "needs_operator", "active"]]);
          expect(published).not.toBe(url);
        } else {
          expect([response.status, response.body.code]).toEqual([502, "provider_error"]);
          expect([status, service.status, published]).toEqual(["failed", "active", url]);
        }
      },
    );
  });

  it("503: the provider never responds; the former credential stays published, and the next call rotates it", async () => {
    const { projectId, publishedUrl, rotate, url } = await arrange();
    const operation = "listProjectBranches";
    harness.sandbox.force({ vendor: "neon", operation, outcome: "timeout_lost", times: 3 });

    const response = await rotate();

    expect([response.status, response.body.code]).toEqual([503, "provider_unavailable"]);
    expect(await publishedUrl()).toBe(url);
    expect(await connectTo(url)).toEqual(ONE);
    expect((await services.heldFor(projectId)).operations.at(-1).status).toBe("failed");
    expect((await rotate()).body).toMatchObject({ status: "completed", changed: true });
  });

  it("200: the former credential is still accepted after it was retired; the operation needs an operator", async () => {
    const { tenant, path, rotate, url } = await arrange();
    const neon = harness.app.providers.get("neon");
    const { retire } = neon ?? {};
    // The call had no effect, although the provider has confirmed it.
    Object.assign(neon ?? {}, { retire: async () => {} });
    try {
      const { body } = await rotate();
      expect(body.warnings).toContain("former_credential_not_retired");
    } finally {
      Object.assign(neon ?? {}, { retire });
    }
    expect(await connectTo(url)).toEqual(ONE);
    expect((await tenant.get(path)).body.status).toBe("active");
    expect((await rotate()).body.status).toBe("completed");
    await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
  });

  /** Lets an admin run the account's last operation again, and returns it when it has ended. */
  async function retryLast({ tenant, projectId }: Pick<Awaited<ReturnType<typeof arrange>>, "tenant" | "projectId">) {
    const { operation_id: operationId } = (await services.heldFor(projectId)).operations.at(-1);
    const { as } = await admins.seedSession();
    const { status, body } = await admins.post(`/admin/operations/${operationId}/retry`, undefined, as);
    await services.allEnded(projectId);
    return { status, body, ended: (await tenant.get(`/operations/${operationId}`)).body };
  }

  it("an admin's retry waits while the former credential is retired as due work, and succeeds after it", async () => {
    const place = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "resetProjectBranchRolePassword", outcome: "refused" });
    await place.rotate();
    const set = (until: string) =>
      services.rows(`update service_rotations set retiring_until = ${until} where tenant_id = $1`, [
        place.tenant.tenantId,
      ]);
    await set("'2100-01-01'");
    expect(await retryLast(place)).toMatchObject({
      ...{ status: 409, body: { code: "conflict", detail: expect.stringContaining("is being retired") } },
    });
    await set("null");
    harness.clock.advanceSeconds(61);
    await runDueWork(harness.app, retireDueCredentials);
    await expect(connectTo(place.url)).rejects.toMatchObject({ code: "28P01" });

    expect(await retryLast(place)).toMatchObject({ status: 202, ended: { status: "succeeded", error: null } });
    expect((await place.tenant.get(place.path)).body).toMatchObject({ status: "active", credential: { version: 2 } });
  });

  describe("at a provider of several credentials", () => {
    type Rotate = NonNullable<ServiceProvider["rotate"]>;

    const noAnswer = (): never => {
      throw new VendorError("unknown", { vendor: "neon", operation: "rotate" });
    };

    /** Ends the former credential when it issues a new one. Then returns `answer`. */
    function rotateAtOnce(answer: (rotated: RotatedCredentials) => RotatedCredentials): Rotate {
      const { rotate, retire } = { ...harness.app.providers.get("neon") };
      return async (access, rotation) => {
        const env = (await rotate?.(access, rotation))?.env ?? {};
        const { resourceId, config, env: former } = rotation;
        await retire?.(access, { resourceId, config, former, current: env });
        return answer({ env, mode: "immediate" });
      };
    }

    async function rotateWith(rotate: Rotate) {
      const arranged = await arrange();
      const neon = harness.app.providers.get("neon") ?? {};
      const own = { ...neon };
      Object.assign(neon, { rotate });
      const response = await arranged.rotate();
      Object.assign(neon, own);
      const { status } = (await services.heldFor(arranged.projectId)).operations.at(-1);
      return { ...arranged, response, status };
    }

    it("200: the former credential has ended at once; the new one is published", async () => {
      const { response, publishedUrl, url } = await rotateWith(rotateAtOnce((rotated) => rotated));

      expect(response.body).toMatchObject({ status: "completed", mode: "immediate" });
      expect(await connectTo(await publishedUrl())).toEqual(ONE);
      await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
    });

    it.each([
      ["is not usable", (rotated: RotatedCredentials) => ({ ...rotated, env: {} })],
      ["does not arrive", noAnswer],
    ])(
      "503: the former credential has ended at once, and the answer %s; it is not undone, and the next rotation publishes the new one",
      async (_what, answer) => {
        const { response, status, rotate, publishedUrl, url } = await rotateWith(rotateAtOnce(answer));

        expect([response.status, status]).toEqual([503, "needs_operator"]);
        await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
        expect((await rotate()).body).toMatchObject({ status: "completed", changed: true });
        expect(await connectTo(await publishedUrl())).toEqual(ONE);
      },
    );

    it("a rotation of which the answer was lost is not undone when an admin retries it and the provider refuses", async () => {
      const place = await rotateWith(rotateAtOnce(noAnswer));
      const neon = harness.app.providers.get("neon") ?? {};
      const own = { ...neon };
      Object.assign(neon, {
        rotate: () => {
          throw new VendorError("refused", { vendor: "neon", operation: "rotate" });
        },
      });

      const { status, ended } = await retryLast(place);

      Object.assign(neon, own);
      expect([status, ended.status, ended.error.code]).toEqual([202, "needs_operator", "provider_error"]);
      expect((await place.rotate()).body).toMatchObject({ status: "completed", changed: true });
    });

    it("503: the former credential is still valid, and the answer does not arrive; the rotation is undone", async () => {
      const { response, status, publishedUrl, url } = await rotateWith(noAnswer);

      expect([response.status, status]).toEqual([503, "failed"]);
      expect(await publishedUrl()).toBe(url);
      expect(await connectTo(url)).toEqual(ONE);
    });
  });

  it("a rotation that is not idempotent is repeated only when an earlier call can no longer take effect", async () => {
    const { rotate } = await arrange();
    const neon = harness.app.providers.get("neon") ?? ({} as ServiceProvider);
    const own = { ...neon };
    const startedMs: number[] = [];
    Object.assign(neon, {
      isRotationIdempotent: false,
      rotate: async (...call: Parameters<NonNullable<ServiceProvider["rotate"]>>) => {
        startedMs.push(performance.now());
        if (startedMs.length > 1) return own.rotate?.(...call);
        throw new VendorError("unknown", { vendor: "neon", operation: "rotate" });
      },
    });

    const { body } = await rotate();

    Object.assign(neon, own);
    expect(body).toMatchObject({ status: "completed", changed: true });
    const [first = 0, second = 0] = startedMs;
    expect(second - first).toBeGreaterThanOrEqual(SETTLE_MS);
  });

  it("connects only to hosts of the provider", async () => {
    const { checkEnv } = harness.app.providers.get("neon") ?? {};
    const foreign = "postgresql://user:password@169.254.169.254/db";

    const outcome = await checkEnv?.({ DATABASE_URL_UNPOOLED: foreign }).catch((thrown: unknown) => thrown);

    expect(outcome).toBeInstanceOf(VendorError);
    expect(outcome).toMatchObject({ failure: "refused" });
  });
});
