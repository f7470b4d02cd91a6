import pg from "pg";
import { until } from "../src/until.ts";

/**
 * Where a saga can be made to stand still: `in` the transaction of a step, when all of the step is done but its commit; or
 * `after` the commit of a checkpoint (of a call: after its answer), when the engine has not noted it yet.
 */
export type Moment = "in" | "after";

export interface TrapPoint {
  readonly projectId: string;
  readonly moment: Moment;
  /** Of the operation, or, after it, the checkpoint by the engine's name for it. */
  readonly step: string;
}

const STAND_STILL = `
  create function stand_still() returns trigger language plpgsql security definer as $$
  declare
    passing jsonb := to_jsonb(new);
    project text;
  begin
    select project_id into project from operations
      where operation_id = coalesce(passing ->> 'operation_id', passing ->> 'workflow_uuid');
    perform pg_advisory_xact_lock_shared(hashtext(concat_ws(' ',
      project, tg_argv[0], coalesce(passing ->> 'name', passing ->> 'function_name'))));
    return new;
  end $$;
  create trigger stand_still before update on operation_steps for each row
    when (old.status in ('pending', 'running') and new.status in ('succeeded', 'skipped'))
    execute function stand_still('in');
  create trigger stand_still before insert on dbos.operation_outputs for each row
    execute function stand_still('after');
`;

const SPRUNG_WITHIN_MS = 20_000;

export interface Traps {
  /** Resolves when somebody has been seen in each of them. */
  sprung(): Promise<void>;
  /** Lets go of whoever stands in them, and of those who come later. */
  open(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Prepares a test's own database for traps: triggers that wait for a lock, which nobody holds until a trap is set. */
export async function prepareTraps(superuserUrl: string): Promise<void> {
  const client = await connect(superuserUrl);
  await client.query(STAND_STILL);
  await client.end();
}

/** Sets traps for those who come to these places next. */
export async function setTraps(superuserUrl: string, places: readonly TrapPoint[]): Promise<Traps> {
  const client = await connect(superuserUrl);
  for (const { projectId, moment, step } of places) {
    const name = `${projectId} ${moment} ${step}`;
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
  }
  return held(client, places.length);
}

/** Keeps everybody out of a table. */
export async function lockTable(superuserUrl: string, table: string): Promise<Traps> {
  const client = await connect(superuserUrl);
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return held(client, 1);
}

/** What somebody waits for that the caller holds. */
const AWAITED = `
  select distinct array_to_string(array[wanted.relation, wanted.classid, wanted.objid], ' ') as lock
  from pg_locks wanted
  where not wanted.granted and pg_backend_pid() = any(pg_blocking_pids(wanted.pid))`;

/** Locks last for as long as the connection that holds them. */
function held(client: pg.Client, count: number): Traps {
  const seen = new Set<string>();
  const allSeen = async () => {
    // Statements that wait are given up after a while, and tried again: not all need to wait at the same time.
    const { rows } = await client.query<{ lock: string }>(AWAITED);
    for (const { lock } of rows) seen.add(lock);
    return seen.size >= count || undefined;
  };
  let opening: Promise<void> | undefined;
  const open = () => {
    opening ??= client.end();
    return opening;
  };
  return {
    sprung: async () => {
      await until(`somebody stands in each of ${count} traps`, allSeen, SPRUNG_WITHIN_MS);
    },
    open,
    [Symbol.asyncDispose]: open,
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}
