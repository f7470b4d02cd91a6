import { newId, type ProjectId } from "@purser/service/foundation/ids.ts";
import type { Client } from "pg";
import type { Pair } from "../compare.ts";
import { seedDevelopers } from "../developers.ts";
import { PROJECTS_PATH } from "../paths.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import type { Developer } from "../servers/seed-developer.ts";
import { createSigner, roundRobin } from "../signer.ts";
import type { Stores } from "../stores.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);

/** The number of projects that are read and have charges. */
const PROJECTS_READ = 100;
/** All servers send this many charges per response, so that the responses have the same size. */
const CHARGES_PER_PAGE = 10;
const GOAL = 0.85;

interface Size {
  readonly name: string;
  /** The number of projects of each developer. */
  readonly projects: number;
  /** The number of charges of each project that is read, all in the current month. */
  readonly charges: number;
}

const FEW: Size = { name: "1000 of each", projects: 1, charges: CHARGES_PER_PAGE };
const MANY: Size = { name: "1000000 of each", projects: 1_000, charges: 10_000 };

/** Starts servers whose databases have few and many projects and charges, and a third to show the noise. */
export async function startFlatProjectPairs(
  start: StartServer,
  { few, many }: { readonly few: Stores; readonly many: Stores },
): Promise<Pair[]> {
  const fewServer = await startWithProjects(start, few, FEW);
  const manyServer = await startWithProjects(start, many, MANY);
  const config = { ...few.configFor("same"), claimsFile: null };
  const sameServer = {
    ...fewServer,
    process: await start<PurserReady>(PURSER, config),
  };
  const pairOf = (
    path: string,
    candidate: typeof fewServer,
    title = `GET /projects/{id}${path}, 1000000 projects and charges ÷ 1000 of each`,
  ): Pair => ({
    title,
    goal: GOAL,
    candidate: targetOf(candidate, path),
    baseline: targetOf(fewServer, path),
  });
  return [
    pairOf("", manyServer),
    pairOf("", sameServer, "GET /projects/{id}, two servers with the same database"),
    pairOf("/status", manyServer),
    pairOf(`/charges?limit=${CHARGES_PER_PAGE}`, manyServer),
    {
      title: "GET /projects?per_page=1, 1000000 projects and charges ÷ 1000 of each",
      goal: GOAL,
      candidate: listOf(manyServer),
      baseline: listOf(fewServer),
    },
  ];
}

/** Lists the newest project of each developer, so that the responses have the same size. */
function listOf({ name, process, callers }: Awaited<ReturnType<typeof startWithProjects>>) {
  const lists = callers.map(({ signer }) => ({ signer, path: `${PROJECTS_PATH}?per_page=1` }));
  return { name, process, origin: process.ready.origin, sent: roundRobin(lists) };
}

function targetOf({ name, process, callers }: Awaited<ReturnType<typeof startWithProjects>>, suffix: string) {
  const reads = callers.map(({ signer, path }) => ({ signer, path: path + suffix }));
  return { name, process, origin: process.ready.origin, sent: roundRobin(reads) };
}

async function startWithProjects(start: StartServer, stores: Stores, size: Size) {
  const developers = await seedDevelopers(start, stores);
  const read = developers.map((developer) => ({ developer, projectId: newId("proj") }));
  await stores.asSuperuser((client) => fill(client, read, size));
  const config = { ...stores.configFor("flat"), claimsFile: null };
  const process = await start<PurserReady>(PURSER, config);
  const callers = read.slice(0, PROJECTS_READ).map(({ developer, projectId }) => ({
    signer: createSigner(developer),
    path: `${PROJECTS_PATH}/${projectId}`,
  }));
  return { name: size.name, process, callers };
}

/**
 * Inserts a project of each developer and copies of it, budgets of all projects, and charges of the projects that are read. Foreign keys and
 * triggers are disabled, because checking millions of inserted rows takes too long.
 */
async function fill(
  client: Client,
  read: readonly { readonly developer: Developer; readonly projectId: ProjectId }[],
  { projects, charges }: Size,
): Promise<void> {
  await client.query("set session_replication_role = replica");
  await client.query(
    `insert into projects (tenant_id, project_id, mode, name, name_key, slug, status, monthly_cap_cents, currency, cap_behavior, environments, created_at, updated_at)
     select tenant_id, project_id || suffix, 'live', 'Bench', 'bench' || suffix, 'bench', 'active', 10000, 'usd', 'block', '{development}', now(), now()
     from unnest($2::text[], $3::text[]) as read (tenant_id, project_id), generate_series(1, $1::integer) n,
       lateral (select case n when 1 then '' else '_' || n end) as numbered (suffix)`,
    [projects, read.map(({ developer }) => developer.tenantId), read.map(({ projectId }) => projectId)],
  );
  await client.query(
    `insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros, opened_period_start, has_alerts)
     select tenant_id, 'project_cap:' || project_id, mode, 'project_cap', project_id, '', 'calendar_month', monthly_cap_cents * 10000,
       date_trunc('month', now(), 'UTC'), true from projects
     union all
     select tenant_id, 'provider_cap:' || project_id || ':neon', mode, 'provider_cap', project_id, 'neon', 'calendar_month', null,
       null, false from projects`,
  );
  await client.query(
    `insert into budget_periods (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
     select tenant_id, budget_id, date_trunc('month', now(), 'UTC'), 0, 1000000, now() from budgets`,
  );
  await client.query(
    `insert into charges (tenant_id, charge_id, project_id, mode, provider, type, description, amount_cents, currency, status, occurred_at, period_start, period_end)
     select tenant_id, 'ch_' || n || project_id, project_id, mode, 'neon', 'one_time', 'bench', 1, 'usd', 'succeeded',
       date_trunc('month', now(), 'UTC') + n * interval '1 second', date_trunc('month', now(), 'UTC'),
       date_trunc('month', now(), 'UTC') + interval '1 month'
     from projects, generate_series(1, $1::integer) n where project_id = any($2::text[])`,
    [charges, read.slice(0, PROJECTS_READ).map(({ projectId }) => projectId)],
  );
  // Without these statements, a vacuum or a checkpoint could run during the measurement.
  await client.query("vacuum analyze projects, budgets, budget_periods, charges");
  await client.query("checkpoint");
}
