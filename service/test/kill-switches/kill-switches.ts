import { randomUUID } from "node:crypto";
import type { TenantId } from "../../src/foundation/ids.ts";
import type { Mode } from "../../src/foundation/vocabulary.ts";
import { type AnyBody, type ApiResponse, PREFIX, type useHarness } from "../harness.ts";
import { seedSession } from "../seeds.ts";

type Harness = ReturnType<typeof useHarness>;

/** Helpers for tests of kill switches. */
export function killSwitchesOf(harness: Harness) {
  /** Creates a verified developer with a test key pair, and a dashboard session. */
  async function seed(mode: Mode = "test") {
    const tenant = await harness.seedTenant({ mode });
    return { ...tenant, mode, session: await sessionOf(tenant.tenantId, mode) };
  }

  async function sessionOf(tenantId: TenantId, mode: Mode = "test") {
    const { accessToken } = await seedSession(harness.app, tenantId);
    const send =
      (method: "GET" | "POST" | "PATCH") =>
      async (path: string, payload?: object): Promise<ApiResponse> =>
        harness.send({
          method,
          url: PREFIX + path,
          headers: { authorization: `Bearer ${accessToken}`, "x-svc-mode": mode },
          ...(payload === undefined ? {} : { payload }),
        });
    return { get: send("GET"), post: send("POST"), patch: send("PATCH") };
  }

  const trigger = (caller: { post: (path: string, body: object) => Promise<ApiResponse> }, body: object) =>
    caller.post("/kill-switch", { reason: "stolen laptop", rotate_env: false, ...body });

  return { seed, sessionOf, trigger };
}

/** Returns the number of targets of a type with an outcome. */
export function countOf(body: AnyBody, type: string, outcome: string): number {
  return body.counts.find((counts: AnyBody) => counts.type === type)[outcome];
}

/** Returns the outcome of each target, by type and id. */
export function outcomesOf(body: AnyBody): Record<string, string> {
  return Object.fromEntries(body.targets.map(({ type, id, outcome }: AnyBody) => [`${type} ${id}`, outcome]));
}

export const idempotencyKey = () => ({ headers: { "idempotency-key": randomUUID() } });
