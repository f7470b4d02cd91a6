import type { Pool } from "pg";

/**
 * An object of a simulated vendor, for example a Neon project. Passwords and tokens belong in `data.secret`, which the
 * control page does not show.
 */
export interface StoredObject<Data = Readonly<Record<string, unknown>>> {
  readonly type: string;
  readonly id: string;
  readonly state: string;
  readonly data: Data;
  readonly createdAt: Date;
}

/** A vendor's objects, identified by type and ID. Each method runs a single SQL statement. */
export interface ObjectStore {
  /** Returns false if the ID is taken. */
  insert(object: {
    readonly type: string;
    readonly id: string;
    readonly state: string;
    readonly data: object;
  }): Promise<boolean>;
  find<Data = Readonly<Record<string, unknown>>>(type: string, id: string): Promise<StoredObject<Data> | undefined>;
  /** Returns the objects of this type, oldest first. */
  list<Data = Readonly<Record<string, unknown>>>(type: string): Promise<StoredObject<Data>[]>;
  /** `data` replaces all previous data. */
  update(type: string, id: string, change: { readonly state?: string; readonly data?: object }): Promise<void>;
  /**
   * Changes the state from `fromState` to `toState`. Returns false if the state is not `fromState`. If several callers
   * compete, only one succeeds.
   */
  claim(type: string, id: string, fromState: string, toState: string): Promise<boolean>;
  /** Returns false if the object does not exist. */
  remove(type: string, id: string): Promise<boolean>;
  /** Returns the vendor's objects of all types, oldest first. */
  listAll(): Promise<StoredObject[]>;
}

// Both statements run in one transaction. Without the lock, `create table if not exists` can fail in concurrent starts.
const SCHEMA = `
  select pg_advisory_xact_lock(hashtext('vendor_objects'));
  create table if not exists vendor_objects (
    sequence bigint generated always as identity,
    vendor text not null,
    type text not null,
    id text not null,
    state text not null,
    data jsonb not null,
    created_at timestamptz not null,
    primary key (vendor, type, id)
  );
`;

/** Creates the table for all vendors' objects if it does not exist. */
export async function createObjectTable(pool: Pool): Promise<void> {
  await pool.query(SCHEMA);
}

const COLUMNS = `type, id, state, data, created_at as "createdAt"`;

/** Opens one vendor's object store. `createObjectTable` must have been called. */
export function openObjectStore(options: { readonly pool: Pool; readonly vendor: string; now(): Date }): ObjectStore {
  const { pool, vendor } = options;
  const changesOneRow = async (statement: string, values: readonly unknown[]) =>
    (await pool.query(statement, [vendor, ...values])).rowCount === 1;
  const select = async <Data>(where: string, values: readonly unknown[]) => {
    const found = await pool.query<StoredObject<Data>>(
      `select ${COLUMNS} from vendor_objects where vendor = $1 ${where} order by sequence`,
      [vendor, ...values],
    );
    return found.rows;
  };

  return {
    insert: ({ type, id, state, data }) =>
      changesOneRow(
        `insert into vendor_objects (vendor, type, id, state, data, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [type, id, state, data, options.now()],
      ),
    find: async <Data>(type: string, id: string) => (await select<Data>("and type = $2 and id = $3", [type, id]))[0],
    list: <Data>(type: string) => select<Data>("and type = $2", [type]),
    update: async (type, id, change) => {
      await changesOneRow(
        `update vendor_objects set state = coalesce($4, state), data = coalesce($5, data)
         where vendor = $1 and type = $2 and id = $3`,
        [type, id, change.state ?? null, change.data ?? null],
      );
    },
    claim: (type, id, fromState, toState) =>
      changesOneRow(
        `update vendor_objects set state = $5
         where vendor = $1 and type = $2 and id = $3 and state = $4`,
        [type, id, fromState, toState],
      ),
    remove: (type, id) =>
      changesOneRow("delete from vendor_objects where vendor = $1 and type = $2 and id = $3", [type, id]),
    listAll: () => select("", []),
  };
}
