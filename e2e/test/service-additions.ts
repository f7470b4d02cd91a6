import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../service/test/vendors/sandbox.ts";
import type { ServerProcess } from "../src/server-process.ts";
import type { ApiResponse, SignedClient } from "../src/signed-client.ts";
import { submitToken } from "../src/submit-token.ts";
import { until } from "../src/until.ts";
import { PUBLIC_URL, vendorEnvironment } from "../src/vendor-environment.ts";
import { query } from "./fixtures.ts";

/** Time for a lease of one or two seconds to expire and for another process to complete the workflow. */
const ENDED_WITHIN_MS = 20_000;

/** The steps of adding a service, in order. */
export const STEPS = [
  "kya_gate",
  "policy",
  "catalog_validation",
  "payment_setup",
  "provider_provisioning",
  "credential_storage",
  "service_record",
  "audit",
] as const;

/**
 * Names of the checkpoints that the workflow engine stores while it adds a service. Each checkpoint contains the result
 * of a vendor call or a transaction.
 */
export const CHECKPOINTS = [
  "begin",
  "payment_setup",
  "provider_provisioning",
  "credential_storage: read",
  "credential_storage",
] as const;

/**
 * With `sync`, the response contains the active service. With `async`, the response arrives before the service is
 * active. Both use paid plans.
 */
const KINDS = {
  sync: { provider: "neon", service: "neon/postgres", plan: "launch" },
  async: { provider: "supabase", service: "supabase/project", plan: "pro" },
  /** A rotation ends the former credential at once. */
  single: { provider: "acme-db", service: "acme-db/postgres", plan: "standard" },
} as const;
type AnyKind = keyof typeof KINDS;
export type Kind = Exclude<AnyKind, "single">;

/**
 * Starts the simulators in the test process, with their own database. Killing a server therefore does not affect the
 * simulators.
 */
export function useVendors() {
  let sandbox: TestSandbox;
  beforeAll(async () => {
    sandbox = await startTestSandbox(PUBLIC_URL);
  });
  afterAll(() => sandbox.close());
  return {
    get sandbox() {
      return sandbox;
    },
    environment: () => vendorEnvironment(sandbox),
    /** Waits until the vendor has received `times` calls of an operation since `since`. */
    untilReceived: async (
      vendor: string,
      operation: string,
      { since, times = 1 }: { readonly since: Date; readonly times?: number },
    ) => {
      const calls = () =>
        sandbox.requests(vendor).filter((request) => request.operation === operation && request.receivedAt >= since);
      const hasAll = async () => calls().length >= times || undefined;
      await until(`${vendor} receives ${operation} ${times} times`, hasAll);
    },
  };
}

type Vendors = ReturnType<typeof useVendors>;

/** A project to which a service is added. */
export interface Addition<Of extends AnyKind = Kind> {
  readonly kind: Of;
  readonly projectId: string;
  readonly idempotencyKey: string;
}

/** Creates a project that is linked to the provider and, by default, has a card. */
export async function prepareAddition<Of extends AnyKind>(
  server: ServerProcess,
  client: SignedClient,
  kind: Of,
  { withCard = true }: { readonly withCard?: boolean } = {},
): Promise<Addition<Of>> {
  const project = await expectOk(client.post("/projects", { name: randomUUID() }));
  const projectId = String(Reflect.get(project, "project_id"));
  const link = await expectOk(client.post(`/projects/${projectId}/link`, { provider: KINDS[kind].provider }));
  const submitted = await submitToken(server.url, String(Reflect.get(link, "url")));
  expect(submitted.status, submitted.text).toBe(200);
  if (withCard) {
    const card = { payment_method_id: "pm_card_visa" };
    await expectOk(client.post(`/projects/${projectId}/billing/payment-methods`, card));
  }
  return { kind, projectId, idempotencyKey: randomUUID() };
}

/** Adds the service. Repeated calls use the same Idempotency-Key. The default plan costs money. */
export function add(
  client: SignedClient,
  { kind, projectId, idempotencyKey }: Addition<AnyKind>,
  plan: string = KINDS[kind].plan,
): Promise<ApiResponse> {
  const { service } = KINDS[kind];
  const body = { service, plan };
  return client.post(`/projects/${projectId}/services`, body, { idempotencyKey });
}

async function expectOk(response: Promise<ApiResponse>): Promise<object> {
  const { status, text, body } = await response;
  expect(status, text).toBeLessThan(300);
  return Object(body);
}

/** Reads everything that adding the service wrote, directly from the database and the simulators. */
export async function readTrace(
  superuserUrl: string,
  { sandbox }: Vendors,
  { kind, projectId }: Addition,
): Promise<Trace & VendorObjects> {
  const [row] = await query<Trace & { serviceIds: string[] }>(superuserUrl, TRACE, [projectId]);
  if (row === undefined) throw new Error(`The project ${projectId} does not exist.`);
  const { serviceIds, ...trace } = row;
  const names = serviceIds.map((serviceId) => `svc-${serviceId}`);
  const resources = (await sandbox.objects(KINDS[kind].provider)).filter(
    ({ type, data }) => type === "project" && names.includes(String(data["name"])),
  );
  const customers = (await sandbox.objects("stripe")).filter(
    ({ type, data }) => type === "customer" && JSON.stringify(data).includes(projectId),
  );
  return { ...trace, resources: resources.length, customers: customers.length };
}

/** Number of objects at the vendors. */
interface VendorObjects {
  readonly resources: number;
  readonly customers: number;
}

interface Trace {
  readonly operations: readonly string[];
  readonly steps: readonly string[];
  readonly services: readonly string[];
  readonly charges: readonly string[];
  readonly secrets: readonly string[];
  readonly audits: readonly string[];
  readonly events: readonly string[];
  readonly envVersion: number;
}

const TRACE = `
  with service as (select service_id, status from services where project_id = $1)
  select
    array(select service_id from service) as "serviceIds",
    array(select status from operations where project_id = $1) as operations,
    array(select name || ' ' || s.status from operation_steps s join operations using (operation_id)
      where project_id = $1 order by position) as steps,
    array(select status from service) as services,
    array(select status from charges where project_id = $1) as charges,
    array(select kind || ' ' || version from service_secrets join service using (service_id) order by 1) as secrets,
    array(select action from audit_entries where subject ->> 'id' in (select service_id from service)
      and action like 'service.%' order by 1) as audits,
    array(select type from events where subject_id in (select service_id from service) order by 1) as events,
    (select env_version from projects where project_id = $1) as "envVersion"`;

/** The expected trace if the service was added exactly once. */
function addedOnce(): Trace & VendorObjects {
  return {
    operations: ["succeeded"],
    steps: STEPS.map((step) => `${step} succeeded`),
    services: ["active"],
    charges: ["reserved"],
    secrets: ["env 1", "password 1"],
    audits: ["service.added", "service.requested"],
    events: ["service.active", "service.provisioning"],
    envVersion: 1,
    resources: 1,
    customers: 1,
  };
}

/**
 * The expected trace if adding the service failed because there was no card. The Stripe customer is kept for the next
 * attempt.
 */
export const REFUSED_WITHOUT_CARD: Trace & VendorObjects = {
  operations: ["compensated"],
  steps: [
    "kya_gate succeeded",
    "policy compensated",
    "catalog_validation succeeded",
    "payment_setup failed",
    ...STEPS.slice(4).map((step) => `${step} skipped`),
  ],
  services: ["failed"],
  charges: ["released"],
  secrets: [],
  audits: ["service.failed", "service.requested"],
  events: ["service.failed", "service.provisioning"],
  envVersion: 0,
  resources: 0,
  customers: 1,
};

/** Waits until the project's operation has ended. Returns the elapsed milliseconds. */
export async function untilEnded(superuserUrl: string, { projectId }: Pick<Addition, "projectId">): Promise<number> {
  const hasEnded = async () => {
    const rows = await query<{ status: string }>(superuserUrl, "select status from operations where project_id = $1", [
      projectId,
    ]);
    return (rows.length > 0 && rows.every(({ status }) => status !== "running")) || undefined;
  };
  return (await until("the operation ends", hasEnded, ENDED_WITHIN_MS)).elapsedMs;
}

/** Expects that the service was added exactly once, even after a repeated call. */
export async function expectAddedOnce(
  superuserUrl: string,
  vendors: Vendors,
  { client, addition, where }: { readonly client: SignedClient; readonly addition: Addition; readonly where: string },
): Promise<void> {
  expect(await readTrace(superuserUrl, vendors, addition), where).toEqual(addedOnce());
  const repeated = await add(client, addition);
  expect(repeated.status, repeated.text).toBe(202);
  expect(repeated.headers.get("idempotent-replayed")).toBe("true");
  expect(repeated.body).toMatchObject({
    service: { status: "active" },
    operation: { status: "succeeded" },
    env: { DATABASE_URL: expect.stringMatching(/^postgres/) },
  });
  expect(await readTrace(superuserUrl, vendors, addition), where).toEqual(addedOnce());
}
