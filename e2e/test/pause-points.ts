import pg from "pg";
import { until } from "../src/until.ts";

/**
 * Where a saga is paused. `in` means inside the step's transaction, before it commits. `after` means after the step's
 * transaction or vendor call, before the workflow engine stores the step's checkpoint.
 */
export type Moment = "in" | "after";

export interface PausePoint {
  readonly projectId: string;
  readonly moment: Moment;
  /** Name of the step, or of the checkpoint if the moment is `after`. */
  readonly step: string;
}

const PAUSE_TRIGGERS = `
  create function pause_saga() returns trigger language plpgsql security definer as $$
  declare
    changed jsonb := to_jsonb(new);
    project text;
  begin
    select project_id into project from operations
      where operation_id = coalesce(changed ->> 'operation_id', changed ->> 'workflow_uuid');
    perform pg_advisory_xact_lock_shared(hashtext(concat_ws(' ',
      project, tg_argv[0], coalesce(changed ->> 'name', changed ->> 'function_name'))));
    return new;
  end $$;
  create trigger pause_saga before update on operation_steps for each row
    when (old.status in ('pending', 'running') and new.status in ('succeeded', 'skipped'))
    execute function pause_saga('in');
  create trigger pause_saga before insert on dbos.operation_outputs for each row
    execute function pause_saga('after');
`;

const REACHED_WITHIN_MS = 20_000;

export interface PausePoints {
  /** Waits until each pause point has paused a saga. */
  untilReached(): Promise<void>;
  /** Resumes the paused sagas and removes the pause points. */
  release(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Prepares a database: creates triggers that wait for the locks that `setPausePoints` acquires. */
export async function preparePausePoints(superuserUrl: string): Promise<void> {
  const client = await connect(superuserUrl);
  await client.query(PAUSE_TRIGGERS);
  await client.end();
}

/** Pauses the sagas that reach these points. */
export async function setPausePoints(superuserUrl: string, points: readonly PausePoint[]): Promise<PausePoints> {
  const client = await connect(superuserUrl);
  for (const { projectId, moment, step } of points) {
    const name = `${projectId} ${moment} ${step}`;
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
  }
  return holdLocks(client, points.length);
}

/** Locks a table, so that sagas pause when they use it. */
export async function lockTable(superuserUrl: string, table: string): Promise<PausePoints> {
  const client = await connect(superuserUrl);
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return holdLocks(client, 1);
}

/** Selects the locks held by this connection that other sessions are waiting for. */
const AWAITED_LOCKS = `
  select distinct array_to_string(array[waiting.relation, waiting.classid, waiting.objid], ' ') as lock
  from pg_locks waiting
  where not waiting.granted and pg_backend_pid() = any(pg_blocking_pids(waiting.pid))`;

/** The locks are held until the connection is closed. */
function holdLocks(client: pg.Client, count: number): PausePoints {
  const seen = new Set<string>();
  const areAllReached = async () => {
    // A waiting statement can time out and be repeated, so a single read can miss its lock. The locks are therefore
    // collected over several reads.
    const { rows } = await client.query<{ lock: string }>(AWAITED_LOCKS);
    for (const { lock } of rows) seen.add(lock);
    return seen.size >= count || undefined;
  };
  let releasing: Promise<void> | undefined;
  const release = () => {
    releasing ??= client.end();
    return releasing;
  };
  return {
    untilReached: async () => {
      await until(`a saga is paused at each of ${count} points`, areAllReached, REACHED_WITHIN_MS);
    },
    release,
    [Symbol.asyncDispose]: release,
  };
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}
