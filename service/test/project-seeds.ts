import type { Insertable } from "kysely";
import { Client } from "pg";
import type { App } from "../src/app.ts";
import { openBudget } from "../src/budgets/open-budget.ts";
import { settleReservation } from "../src/budgets/queries.ts";
import { reserveBudgets } from "../src/budgets/reserve-budgets.ts";
import type { Tx } from "../src/db/database.ts";
import type { Schema } from "../src/db/schema.ts";
import { withTransaction } from "../src/db/transaction.ts";
import { type LinkId, newId, type ProjectId, type ServiceId, type TenantId } from "../src/foundation/ids.ts";
import { usdMicrosFromCents } from "../src/foundation/money.ts";
import type { StepStatus } from "../src/foundation/vocabulary.ts";
import { upsertVariableValues } from "../src/modules/env/variables/queries.ts";
import { variableContext } from "../src/modules/env/variables/variables.ts";
import { projectCap, providerCap } from "../src/modules/projects/caps.ts";
import { lockProject } from "../src/modules/projects/queries.ts";
import { periodOf } from "../src/modules/projects/usage.ts";
import { sealServiceEnv } from "../src/modules/services/service-env.ts";
import { openVault } from "../src/vault/vault.ts";
import type { SeedApp } from "./seeds.ts";

type Charge = Insertable<Schema["charges"]>;
type Link = Insertable<Schema["providerLinks"]>;
type Service = Insertable<Schema["services"]>;
type Operation = Insertable<Schema["operations"]>;

/** Identifies the project that a seeded row belongs to. */
interface ProjectKey {
  readonly tenantId: TenantId;
  readonly projectId: string;
}

/** The statuses of charges that count against a cap. */
const COUNTED: ReadonlySet<unknown> = new Set(["reserved", "pending", "succeeded", "disputed"]);

/**
 * Inserts a charge, and its reservation if it counts against the cap. By default it is a succeeded Neon charge at the
 * current time.
 */
export async function seedCharge(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    projectId,
    ...charge
  }: { tenantId: TenantId; projectId: string; amountCents: bigint } & Partial<
    Omit<Charge, "tenantId" | "projectId" | "amountCents">
  >,
): Promise<string> {
  const chargeId = newId("ch");
  const { occurredAt = app.clock.now() } = charge;
  const month = periodOf(occurredAt as Date);
  const row = {
    tenantId,
    chargeId,
    projectId: projectId as ProjectId,
    mode: "live" as const,
    provider: "neon",
    type: "subscription" as const,
    description: "launch",
    currency: "usd" as const,
    status: "succeeded" as const,
    occurredAt,
    periodStart: month.start,
    periodEnd: month.end,
    ...charge,
  };
  await withTransaction(app.db, tenantId, async (tx) => {
    const reservationId = COUNTED.has(row.status) ? newId("rsv") : null;
    if (reservationId !== null) await seedReservation(tx, { ...row, reservationId });
    await tx
      .insertInto("charges")
      .values({ ...row, reservationId })
      .execute();
  });
  return chargeId;
}

/** Reserves a seeded charge, even above the cap, and commits it unless its status is `reserved`. */
async function seedReservation(
  tx: Tx,
  { reservationId, ...charge }: Charge & { readonly reservationId: string },
): Promise<void> {
  const { tenantId, projectId, mode, occurredAt } = charge;
  const at = occurredAt as Date;
  const key = { tenantId, mode, projectId, agentIds: [], projectIds: [] };
  const project = await lockProject(tx, key);
  const limitMicros = usdMicrosFromCents(project.monthlyCapCents);
  const cap = { ...projectCap(project), period: "calendar_month" as const, limitMicros };
  await openBudget(tx, { ...cap, tenantId, mode }, periodOf(at).start);
  const amountMicros = usdMicrosFromCents(charge.amountCents as bigint);
  const outcome = await reserveBudgets(tx, {
    reservationId,
    mode,
    causeType: "charge",
    causeId: charge.chargeId,
    amountMicros,
    budgets: [projectCap(project), providerCap(project, charge.provider ?? "")],
    at,
    recordedAt: at,
    isOwed: true,
  });
  if (outcome.outcome !== "reserved") throw new Error(outcome.outcome);
  if (charge.status === "reserved") return;
  await settleReservation(tx, { reservationId, committedMicros: amountMicros, at });
}

/** Inserts a provider link. By default it is an active link to Neon, created now. */
export async function seedLink(
  app: Pick<App, "db" | "clock">,
  { tenantId, projectId, ...link }: ProjectKey & Partial<Omit<Link, keyof ProjectKey>>,
): Promise<LinkId> {
  const linkId = newId("lnk");
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, (tx) =>
    tx
      .insertInto("providerLinks")
      .values({
        tenantId,
        linkId,
        projectId: projectId as ProjectId,
        mode: "live",
        provider: "neon",
        flow: "api_token",
        status: "linked",
        createdAt: at,
        updatedAt: at,
        expiresAt: new Date(at.getTime() + 600_000),
        ...link,
      })
      .execute(),
  );
  return linkId;
}

/**
 * Inserts a service, and a revoked provider link that only this service uses. By default the service is an active, free
 * Neon service in both environments, created now. `env` contains the service's variables under the names that the
 * provider uses.
 */
export async function seedService(
  app: SeedApp,
  {
    tenantId,
    projectId,
    env,
    envNames = Object.fromEntries(Object.keys(env ?? {}).map((name) => [name, name])),
    ...service
  }: ProjectKey & {
    readonly env?: Readonly<Record<string, string>>;
    readonly envNames?: Readonly<Record<string, string>>;
  } & Partial<Omit<Service, keyof ProjectKey | "envNames">>,
): Promise<ServiceId> {
  const serviceId = newId("srv");
  const at = app.clock.now();
  const linkId = await seedLink(app, { tenantId, projectId, status: "revoked" });
  const vault = await openVault(app, tenantId);
  await withTransaction(app.db, tenantId, async (tx) => {
    await tx
      .insertInto("services")
      .values({
        tenantId,
        serviceId,
        projectId: projectId as ProjectId,
        mode: "live",
        linkId,
        provider: "neon",
        service: "neon/postgres",
        name: serviceId,
        plan: "free",
        region: "aws-us-east-1",
        config: "{}",
        status: "active",
        environments: ["development", "production"],
        envPrefix: null,
        envNames: JSON.stringify(envNames),
        priceCents: 0n,
        billedBy: "vendor",
        credentialVersion: env === undefined ? 0 : 1,
        agentId: null,
        metadata: "{}",
        createdAt: at,
        updatedAt: at,
        ...service,
      })
      .execute();
    if (env === undefined) return;
    const version = service.credentialVersion ?? 1;
    const valueSealed = sealServiceEnv(vault, { serviceId, version }, env);
    await tx
      .insertInto("serviceSecrets")
      .values({ tenantId, serviceId, kind: "env", version, valueSealed, createdAt: at })
      .execute();
  });
  return serviceId;
}

/** Inserts an operation and its steps, given by name. By default it is a running `service.add`. */
export async function seedOperation(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    projectId,
    steps = {},
    ...operation
  }: ProjectKey & { readonly steps?: Readonly<Record<string, StepStatus>> } & Partial<
      Omit<Operation, keyof ProjectKey>
    >,
): Promise<string> {
  const operationId = newId("op");
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, async (tx) => {
    await tx
      .insertInto("operations")
      .values({
        tenantId,
        operationId,
        projectId: projectId as ProjectId,
        mode: "live",
        type: "service.add",
        subjectType: operation.serviceId ? "service" : "project",
        subjectId: operation.serviceId ?? projectId,
        serviceId: null,
        status: "running",
        actor: JSON.stringify({ type: "developer", id: tenantId, key_id: null, ip: null }),
        requestId: "req_seeded",
        createdAt: at,
        updatedAt: at,
        ...operation,
      })
      .execute();
    const rows = Object.entries(steps).map(([name, status], position) => {
      const finishedAt = status === "pending" ? null : at;
      return { tenantId, operationId, position, name, status, at: finishedAt };
    });
    if (rows.length > 0) await tx.insertInto("operationSteps").values(rows).execute();
  });
  return operationId;
}

/** Inserts a project's customer at the payment processor. By default the customer has a card that can be charged. */
export async function seedBilling(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    projectId,
    ...billing
  }: ProjectKey & Partial<Omit<Insertable<Schema["projectBilling"]>, keyof ProjectKey>>,
): Promise<void> {
  const at = app.clock.now();
  await withTransaction(app.db, tenantId, (tx) =>
    tx
      .insertInto("projectBilling")
      .values({
        tenantId,
        projectId: projectId as ProjectId,
        customerId: "cus_seeded",
        status: "ready",
        paymentMethodId: "pm_seeded",
        paymentMethod: JSON.stringify({ id: "pm_seeded", type: "card", brand: "visa" }),
        createdAt: at,
        updatedAt: at,
        ...billing,
      })
      .execute(),
  );
}

/** Returns the audit entries about the project, service or other object with this ID, oldest first. */
export async function auditOf({ db }: Pick<App, "db">, subjectId: string) {
  const entries = await db
    .selectFrom("auditEntries")
    .select(["auditId", "action", "subject", "facts", "actor", "mode"])
    .orderBy("auditId")
    .execute();
  return entries.filter(({ subject }) => subject.id === subjectId);
}

/** Returns the events about the project, service or other object with this ID, oldest first. */
export async function eventsOf({ db }: Pick<App, "db">, subjectId: string) {
  return db.selectFrom("events").selectAll().where("subjectId", "=", subjectId).orderBy("eventId").execute();
}

/** Runs `work` with a new connection, then closes it. `url` must connect as a superuser. */
export async function asSuperuser<Result>(url: string, work: (client: Client) => Promise<Result>): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns every row of every table in these schemas as text. Bytes are shown in hexadecimal. */
export async function dumpDatabase(url: string, schemas: readonly string[] = ["public"]): Promise<string> {
  return asSuperuser(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)",
      [schemas],
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const rows = await client.query<{ text: string }>(`select t::text as text from ${name} as t`);
      texts.push(name, ...rows.rows.map(({ text }) => text));
    }
    return texts.join("\n");
  });
}

/**
 * Inserts variables named `SEEDED_1` and so on, of 32 KiB each, into one environment. Does not check the bundle size
 * limit.
 */
export async function seedLargeVariables(
  app: SeedApp,
  { tenantId, projectId }: ProjectKey,
  { environment, count }: { readonly environment: string; readonly count: number },
): Promise<void> {
  const vault = await openVault(app, tenantId);
  const rows = Array.from({ length: count }, (_none, index) => {
    const variable = {
      projectId: projectId as ProjectId,
      environment,
      name: `SEEDED_${index + 1}`,
      version: 1,
    };
    const valueSealed = vault.seal(variableContext(variable), "x".repeat(32 * 1024));
    return { ...variable, tenantId, valueSealed, sensitive: true, updatedAt: app.clock.now() };
  });
  await withTransaction(app.db, tenantId, (tx) => upsertVariableValues(tx, rows));
}

/** Returns the statements with which an operator lets an operation that needs one run again (docs/production.md). */
export function runAgain(operationId: string): string {
  return `begin;
    update operation_steps set status = 'running' where operation_id = '${operationId}' and status = 'failed'
      and exists (select from operations where operation_id = '${operationId}' and stuck_step is null);
    update operations set status = 'running', error = case when stuck_step is not null then error end
      where operation_id = '${operationId}' and status = 'needs_operator';
    delete from dbos.transaction_completion where workflow_id = '${operationId}';
    delete from dbos.workflow_input where workflow_uuid = '${operationId}';
    delete from dbos.workflow_output where workflow_uuid = '${operationId}';
    delete from dbos.operation_outputs where workflow_uuid = '${operationId}';
    delete from dbos.workflow_status where workflow_uuid = '${operationId}';
    commit`;
}

/**
 * Returns all encodings in which a dump can contain the text: plain, JSON, hexadecimal, URL, and base64 at each of
 * the three possible offsets.
 */
export function encodingsOf(secret: string): string[] {
  const base64 = ["", "a", "ab"].map((before) =>
    // The first and last characters are cut off, because they depend on the text around the secret.
    Buffer.from(before + secret)
      .toString("base64")
      .slice(4, -4),
  );
  const hex = Buffer.from(secret).toString("hex");
  return [secret, JSON.stringify(secret).slice(1, -1), hex, encodeURIComponent(secret), ...base64];
}
