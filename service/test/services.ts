import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { completeConsentPage } from "../../simulators/test/complete-consent-page.ts";
import type { App } from "../src/app.ts";
import { listWrongBudgets } from "../src/budgets/queries.ts";
import { withTransaction } from "../src/db/transaction.ts";
import { newId, type TenantId } from "../src/foundation/ids.ts";
import type { Mode } from "../src/foundation/vocabulary.ts";
import { startPendingOperations } from "../src/workflows/stalled-operations/stalled-operations.ts";
import { type AnyBody, type ApiResponse, PREFIX, type SignOptions, type useHarness } from "./harness.ts";
import { asSuperuser, runAgain } from "./project-seeds.ts";
import { oneTimeFieldOf } from "./vendors/linking.ts";

type Harness = ReturnType<typeof useHarness>;
export type Tenant = Awaited<ReturnType<Harness["seedTenant"]>>;
/** A client that signs requests with one of a tenant's keys. */
export type Caller = Pick<Tenant, "get" | "post" | "delete">;

/** How long to wait for a saga on a busy machine. */
const UNTIL_MAX_MS = 25_000;
const UNTIL_POLL_MS = 25;

/** Helpers that call the service API and inspect the effects. The harness needs the option `vendors`. */
export function servicesOf(harness: Harness) {
  async function newProject(caller: Caller, body: object = {}): Promise<string> {
    const answer = await caller.post("/projects", { name: randomUUID(), ...body });
    return answer.body.project_id;
  }

  /** Links Neon by pasting a token into the form. */
  function linkNeon(caller: Caller, projectId: string, token?: string) {
    return linkByToken(caller, projectId, "neon", token);
  }

  /** Links a provider by pasting a token into the form, as a user does. */
  async function linkByToken(
    caller: Caller,
    projectId: string,
    provider: string,
    token = `sandbox-${randomUUID()}`,
    fields: object = {},
  ) {
    const link = await caller.post(`/projects/${projectId}/link`, { provider, ...fields });
    const { pathname, search } = new URL(link.body.url);
    const url = pathname + search;
    const form = await harness.send({ method: "GET", url });
    const answer = await harness.send({
      method: "POST",
      url,
      headers: { "content-type": "application/x-www-form-urlencoded", accept: "application/json" },
      payload: new URLSearchParams({ token, once: oneTimeFieldOf(form.text) }).toString(),
    });
    return { linkId: link.body.link_id as string, token, answer };
  }

  /** Links Supabase through its consent page, as a user does. */
  async function linkSupabase(caller: Caller, projectId: string, persona = "ada", fields: object = {}) {
    const request = { provider: "supabase", ...fields };
    const link = await caller.post(`/projects/${projectId}/link`, request);
    const consent = await fetch(link.body.url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ decision: "allow", persona }).toString(),
    });
    const { pathname, search } = new URL(consent.headers.get("location") ?? "");
    const answer = await harness.send({ method: "GET", url: pathname + search });
    return { linkId: link.body.link_id as string, answer };
  }

  /** Links a configured provider, which creates an account, and completes its consent page if it has one. */
  async function linkConfigured(caller: Caller, projectId: string, provider: string) {
    const { body } = await caller.post(`/projects/${projectId}/link`, { provider });
    if (body.url !== null) {
      const { pathname, search } = await completeConsentPage(body.url);
      await harness.send({ method: "GET", url: pathname + search });
    }
    return { linkId: body.link_id as string };
  }

  /** Creates a project and links it to Neon. */
  async function linkedProject(caller: Caller, body?: object): Promise<string> {
    const projectId = await newProject(caller, body);
    await linkNeon(caller, projectId);
    return projectId;
  }

  function add(caller: Caller, projectId: string, body: object = {}, options?: SignOptions): Promise<ApiResponse> {
    const request = { service: "neon/postgres", ...body };
    return caller.post(`/projects/${projectId}/services`, request, options);
  }

  /**
   * Attaches a card. Retries on 503: the simulator compiles a Stripe operation's schemas on its first call, which can
   * exceed the short vendor timeout in tests.
   */
  function attachCard(caller: Caller, projectId: string, paymentMethod = "pm_card_visa") {
    const body = { payment_method_id: paymentMethod };
    const attach = () => caller.post(`/projects/${projectId}/billing/payment-methods`, body);
    return until(attach, ({ status }) => status !== 503);
  }

  /**
   * Attaches a card that requires authentication by its owner, and completes the authentication at the bank. Purser is
   * not notified of the authentication.
   */
  async function attachCardWithOwner(caller: Caller, projectId: string): Promise<void> {
    const attach = () =>
      caller.post(`/projects/${projectId}/billing/payment-methods`, {
        payment_method_id: "pm_card_authenticationRequired",
        return_url: "https://shop.example/back",
      });
    const answer = await until(attach, ({ status }) => status !== 503);
    await fetch(answer.body.setup_intent.next_action.url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: "decision=complete",
    });
  }

  /**
   * Makes each type of vendor call once. A simulator compiles an operation's schemas on its first call, which can
   * exceed the short vendor timeouts in some tests.
   */
  async function callEachVendorOnce(): Promise<void> {
    const caller = await harness.seedTenant();
    const projectId = await newProject(caller);
    const isLinked = ({ answer }: { readonly answer: ApiResponse }) => answer.body?.status === "linked";
    await until(() => linkNeon(caller, projectId), isLinked);
    await until(() => linkSupabase(caller, projectId), isLinked);
    await attachCard(caller, projectId);
    await attachCardWithOwner(caller, projectId);
    await add(caller, projectId, { plan: "launch" });
    await add(caller, projectId, { service: "supabase/project" });
    await allEnded(projectId);
    await caller.delete(`/projects/${projectId}`);
    await allEnded(projectId);
  }

  /** Polls until the operation has ended, then returns it. */
  async function ended(caller: Caller, pollUrl: string): Promise<AnyBody> {
    const path = pollUrl.slice(PREFIX.length);
    return until(
      async () => (await caller.get(path)).body,
      ({ status }) => status !== "running",
    );
  }

  /** Waits until the project has no running operation. */
  async function allEnded(projectId: string): Promise<void> {
    const running = "select operation_id from operations where project_id = $1 and status = 'running'";
    await until(
      () => rows(running, [projectId]),
      (found) => found.length === 0,
    );
  }

  /** Queries Purser's database as a superuser. */
  function rows(text: string, values: readonly unknown[] = []): Promise<AnyBody[]> {
    return asSuperuser(harness.database.superuserUrl, async (client) => {
      return (await client.query(text, [...values])).rows;
    });
  }

  /** Lets the project's operations that need an operator run again, as docs/production.md says, and waits for their end. */
  async function runAllAgain(projectId: string): Promise<void> {
    const again = await rows(
      "select operation_id from operations where project_id = $1 and status = 'needs_operator'",
      [projectId],
    );
    for (const { operation_id: id } of again) await rows(runAgain(id));
    harness.clock.advanceSeconds(5);
    await startPendingOperations(harness.app);
    await allEnded(projectId);
  }

  /** Returns a project's services, charges, secrets and operations from the database. */
  async function heldFor(projectId: string) {
    const [services, charges, secrets, operations] = await Promise.all([
      rows("select * from services where project_id = $1 order by created_at, service_id", [projectId]),
      rows("select * from charges where project_id = $1 order by occurred_at, charge_id", [projectId]),
      rows("select s.kind from service_secrets s join services using (tenant_id, service_id) where project_id = $1", [
        projectId,
      ]),
      rows(
        `select o.*, (select json_object_agg(name, s.status) from operation_steps s
           where s.operation_id = o.operation_id) as steps
         from operations o where project_id = $1 order by created_at, operation_id`,
        [projectId],
      ),
    ]);
    return { services, charges, secrets, operations };
  }

  /** Returns the vendor's resources for these services. The resources' names contain the service IDs. */
  async function resourcesOf(vendor: string, serviceIds: readonly string[]) {
    const names = new Set(serviceIds.map((serviceId) => `svc-${serviceId}`));
    const objects = await harness.sandbox.objects(vendor);
    return objects.filter(({ type, data }) => type === "project" && names.has(nameOf(data)));
  }

  /**
   * Returns the forced simulator outcomes that no vendor call has used. Tests check that none are left, because an
   * unused outcome means that the intended vendor call did not happen.
   */
  async function outcomesLeft(): Promise<unknown[]> {
    const answer = await fetch(`${harness.sandbox.url}/api/vendors`);
    const { data }: { data: readonly { forced_outcomes: unknown[] }[] } = Object(await answer.json());
    return data.flatMap(({ forced_outcomes }) => forced_outcomes);
  }

  /** Returns the tenant's budgets that differ from the sum of their reservations. */
  function wrongBudgets({ tenantId }: { readonly tenantId: TenantId }) {
    return withTransaction(harness.app.db, tenantId, (tx) =>
      listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
    );
  }

  /** Calls the simulated payment processor, as an operator does in its dashboard. */
  async function callStripe(path: string, body: Readonly<Record<string, string>> = {}) {
    const { url, secretKeys } = harness.sandbox.stripe;
    const answer = await fetch(`${url}/v1/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secretKeys.live}` },
      body: new URLSearchParams(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  }

  async function customersOf(projectId: string) {
    const objects = await harness.sandbox.objects("stripe");
    return objects.filter(
      ({ type, state, data }) =>
        type === "customer" && state !== "deleted" && JSON.stringify(data).includes(`"${projectId}"`),
    );
  }

  return {
    newProject,
    linkNeon,
    linkByToken,
    linkSupabase,
    linkConfigured,
    linkedProject,
    add,
    attachCard,
    attachCardWithOwner,
    callEachVendorOnce,
    ended,
    allEnded,
    rows,
    runAllAgain,
    heldFor,
    resourcesOf,
    wrongBudgets,
    callStripe,
    customersOf,
    outcomesLeft,
  };
}

/** Polls until `isSo` returns true. Throws after a time limit. */
export async function until<Value>(read: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  const deadline = Date.now() + UNTIL_MAX_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > deadline) throw new Error(`The condition was not met: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, UNTIL_POLL_MS));
  }
}

/** Returns the rows of a trivial query. Rejects if the database does not accept the connection. */
export async function connectTo(databaseUrl: string): Promise<unknown> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query("select 1 as one")).rows;
  } finally {
    await client.end();
  }
}

/** The rules of the policy that `seedAgent` inserts: they allow everything. */
const ALLOW_ALL = [{ id: "all", effect: "allow", operation: "*" }];

/**
 * Inserts an agent, with a policy. By default it is active and in live mode, and the policy allows everything. An agent
 * without rules has no policy.
 */
export async function seedAgent(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    mode = "live",
    status = "active",
    agentId = randomUUID(),
    rules = ALLOW_ALL,
    approvals = {},
  }: {
    readonly tenantId: TenantId;
    readonly mode?: Mode;
    readonly status?: "active" | "suspended" | "revoked" | "expired";
    readonly agentId?: string;
    readonly rules?: readonly object[];
    readonly approvals?: object;
  },
): Promise<string> {
  const at = app.clock.now();
  const row = { tenantId, mode, createdAt: at, updatedAt: at };
  await withTransaction(app.db, tenantId, async (tx) => {
    await tx
      .insertInto("agents")
      .values({ ...row, agentId, name: "buyer", status })
      .execute();
    if (rules.length === 0) return;
    const subjects = { agentIds: [agentId], walletIds: [], projectIds: [] };
    const version = { tenantId, policyId: newId("pol"), version: 1 };
    await tx
      .insertInto("policies")
      .values({
        ...{ ...row, ...version, ...subjects, name: "seeded" },
        rules: JSON.stringify(rules),
        approvals: JSON.stringify(approvals),
      })
      .execute();
    const content = JSON.stringify({ ...subjects, name: "seeded", rules, approvals });
    await tx
      .insertInto("policyVersions")
      .values({ ...version, content, createdAt: at })
      .execute();
  });
  return agentId;
}

function nameOf(data: unknown): string {
  return String(Object(data).name ?? "");
}
