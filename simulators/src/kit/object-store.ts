import type { Pool } from "pg";

/**
 * One object of a vendor's. What nobody may see on the control page (passwords, tokens) goes below `data.secret`.
 */
export interface StoredObject<Data = Readonly<Record<string, unknown>>> {
  readonly type: string;
  readonly id: string;
  readonly state: string;
  readonly data: Data;
  readonly createdAt: Date;
}

/** One vendor's objects, by type and id. Each method is one statement. */
export interface ObjectStore {
  /** False where the id is taken. */
  insert(object: {
    readonly type: string;
    readonly id: string;
    readonly state: string;
    readonly data: object;
  }): Promise<boolean>;
  find<Data = Readonly<Record<string, unknown>>>(
    type: string,
    id: string,
  ): Promise<StoredObject<Data> | undefined>;
  /** Oldest first. */
  list<Data = Readonly<Record<string, unknown>>>(type: string): Promise<StoredObject<Data>[]>;
  /** `data` replaces what was there. */
  update(
    type: string,
    id: string,
    change: { readonly state?: string; readonly data?: object },
  ): Promise<void>;
  /** Changes the state for the one caller who finds it as expected: for codes that are good once. */
  claim(type: string, id: string, fromState: string, toState: string): Promise<boolean>;
  /** False where there was none. */
  remove(type: string, id: string): Promise<boolean>;
  /** Everything of this vendor's, oldest first. */
  listAll(): Promise<StoredObject[]>;
}

// One query, hence one transaction: the lock keeps two starts at once from both creating the table.
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

/** Creates the table of all vendors' objects where it is missing. */
export async function createObjectTable(pool: Pool): Promise<void> {
  await pool.query(SCHEMA);
}

const COLUMNS = `type, id, state, data, created_at as "createdAt"`;

/** The objects of one vendor, in the simulators' own database. The table must be there. */
export function openObjectStore(options: {
  readonly pool: Pool;
  readonly vendor: string;
  now(): Date;
}): ObjectStore {
  const { pool, vendor } = options;
  const changesOne = async (statement: string, values: readonly unknown[]) =>
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
      changesOne(
        `insert into vendor_objects (vendor, type, id, state, data, created_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [type, id, state, data, options.now()],
      ),
    find: async <Data>(type: string, id: string) =>
      (await select<Data>("and type = $2 and id = $3", [type, id]))[0],
    list: <Data>(type: string) => select<Data>("and type = $2", [type]),
    update: async (type, id, change) => {
      await changesOne(
        `update vendor_objects set state = coalesce($4, state), data = coalesce($5, data)
         where vendor = $1 and type = $2 and id = $3`,
        [type, id, change.state ?? null, change.data ?? null],
      );
    },
    claim: (type, id, fromState, toState) =>
      changesOne(
        `update vendor_objects set state = $5
         where vendor = $1 and type = $2 and id = $3 and state = $4`,
        [type, id, fromState, toState],
      ),
    remove: (type, id) =>
      changesOne("delete from vendor_objects where vendor = $1 and type = $2 and id = $3", [
        type,
        id,
      ]),
    listAll: () => select("", []),
  };
}
