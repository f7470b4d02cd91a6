import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";

/**
 * Tables that are queried before the tenant is known, for example to find an API key's tenant. They have no row-level
 * security.
 */
const GLOBAL_LOOK_UPS = [
  "api_key_lookups",
  "data_key_wrappings",
  "device_authorizations",
  "email_tokens",
  "link_states",
  "mfa_challenges",
  "refresh_tokens",
];

/** Tables whose rows only their own tenant can read. */
const SECRET_TABLES = [
  "account_claims",
  "admin_challenges",
  "admin_sessions",
  "admins",
  "api_keys",
  "developer_passwords",
  "developer_recovery_codes",
  "developer_totp",
  "kyb_cases",
  "project_variables",
  "provider_key_secrets",
  "provider_link_secrets",
  "service_secrets",
  "tenant_data_keys",
  "wallet_signer_keys",
  "webhook_secrets",
];

const AUDIT_APPEND_ONLY = ["audit_anchorings", "audit_checkpoints", "audit_entries", "audit_links"];
const APPEND_ONLY = [...AUDIT_APPEND_ONLY, "ledger_transfers"];

const OWN = "dev_own";
const FOREIGN = "dev_foreign";

/** A sample value for each column type, as SQL. */
const SAMPLES: Readonly<Record<string, string>> = {
  ARRAY: "'{}'",
  bigint: "1",
  boolean: "false",
  bytea: "'\\x00'",
  integer: "1",
  jsonb: "'{}'",
  numeric: "1",
  pg_snapshot: "'1:1:'",
  smallint: "1",
  text: "'sample'",
  "timestamp with time zone": "now()",
  uuid: "gen_random_uuid()",
  xid8: "'1'",
};

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/**
 * Reads the tables from the database catalog, so tables of new migrations are covered too. Tests each policy against
 * inserted rows.
 */
describe("row-level security", () => {
  let database: TestDatabase;
  let superuser: Client;
  let owner: Client;
  let service: Client;
  let columns: Column[];

  beforeAll(async () => {
    database = await createServiceDatabase();
    superuser = await connect(database.superuserUrl);
    owner = await connect(database.ownerUrl);
    service = await connect(database.serviceUrl);
    columns = (
      await superuser.query<Column>(`
        select c.table_name as table, c.column_name as column, c.data_type as type
        from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.is_generated = 'NEVER'
        order by 1, c.ordinal_position
      `)
    ).rows;
    await fillTables();
  });

  afterAll(async () => {
    await Promise.all([superuser.end(), owner.end(), service.end()]);
  });

  /**
   * Inserts one row for each of two tenants into each table, without triggers. Drops the check and foreign key constraints,
   * because they are not tested here.
   */
  async function fillTables(): Promise<void> {
    const { rows } = await superuser.query<{ drop: string }>(`
      select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
      from pg_constraint where contype in ('c', 'f') and connamespace = 'public'::regnamespace
    `);
    for (const { drop } of rows) await superuser.query(drop);
    await superuser.query("set session_replication_role = replica");
    for (const table of tenantTables()) {
      await superuser.query(insertInto(table, OWN));
      await superuser.query(insertInto(table, FOREIGN));
    }
    await superuser.query("reset session_replication_role");
  }

  function tenantTables(): string[] {
    const withTenant = columns.filter(({ column }) => column === "tenant_id");
    return withTenant.map(({ table }) => table);
  }

  const protectedTables = () => tenantTables().filter((table) => !GLOBAL_LOOK_UPS.includes(table));

  function insertInto(table: string, tenantId: string): string {
    const own = columns.filter((column) => column.table === table);
    const values = own.map(({ column, type }) => {
      if (column === "tenant_id") return `'${tenantId}'`;
      // Text values contain the tenant's id, so that the rows of the two tenants do not violate a unique constraint.
      return type === "text" ? `'${tenantId} ${column}'` : (SAMPLES[type] ?? `no sample of ${type}`);
    });
    return `insert into ${table} (${own.map(({ column }) => column)}) values (${values})`;
  }

  /** Runs a statement in a transaction of the tenant, rolls it back, and returns the outcome. */
  async function attempt(client: Client, tenantId: string | null, statement: string) {
    await client.query("begin");
    try {
      if (tenantId !== null) {
        await client.query("select set_config('purser.tenant_id', $1, true)", [tenantId]);
      }
      const { rowCount, rows } = await client.query(statement);
      return { rejected: false, rowCount, rows };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : error;
      return { rejected: true, code };
    } finally {
      await client.query("rollback");
    }
  }

  it("is forced on every table with a tenant, except the global look-up tables", async () => {
    const { rows } = await superuser.query<{ name: string }>(`
      select relname as name from pg_class
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity and relforcerowsecurity
      order by 1
    `);

    expect(rows.map(({ name }) => name)).toEqual(protectedTables());
    expect(protectedTables().length).toBeGreaterThan(15);
    const tables = [...new Set(columns.map(({ table }) => table))];
    const withTenant = tenantTables();
    expect(tables.filter((table) => !withTenant.includes(table))).toEqual([
      "login_states",
      "network_cursors",
      "provider_catalogs",
      "schema_migrations",
      "vendor_events",
      "workflow_executors",
    ]);
  });

  it("applies to the server's role, which is not a superuser, owns nothing, and has no other memberships", async () => {
    const { rows } = await superuser.query(`
      select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb,
        (select count(*)::int from pg_shdepend where refclassid = 'pg_authid'::regclass and refobjid = r.oid and deptype = 'o') as owned,
        array(select m.roleid::regrole::text from pg_auth_members m where m.member = r.oid) as member_of,
        has_schema_privilege(r.oid, 'public', 'create') as creates
      from pg_roles r where rolname in ('purser_service', 'test_service') order by 1
    `);

    const bound = {
      rolsuper: false,
      rolbypassrls: false,
      rolcreaterole: false,
      rolcreatedb: false,
      owned: 0,
      creates: false,
    };
    expect(rows).toEqual([
      { ...bound, rolname: "purser_service", member_of: [] },
      { ...bound, rolname: "test_service", member_of: ["purser_service"] },
    ]);
  });

  it("allows the server to insert rows of its own tenant", async () => {
    for (const table of protectedTables()) {
      await superuser.query("begin");
      await superuser.query("set local session_replication_role = replica");
      await superuser.query(`delete from ${table} where tenant_id = '${OWN}'`);
      await superuser.query("commit");

      const outcome = await attempt(service, OWN, insertInto(table, OWN));

      expect([table, outcome]).toMatchObject([table, { rejected: false, rowCount: 1 }]);
      await superuser.query(insertInto(table, OWN));
    }
  });

  it.each([
    ["a transaction of another tenant", OWN],
    ["a transaction without a tenant", null],
  ])("rejects an insert by %s", async (_name, tenantId) => {
    for (const table of protectedTables()) {
      const statement = insertInto(table, "dev_third");

      const outcome = await attempt(service, tenantId, statement);

      expect([table, outcome]).toEqual([table, { rejected: true, code: "42501" }]);
    }
  });

  it.each([
    ["another tenant", OWN],
    ["no tenant", null],
  ])("hides rows from updates and deletes by a transaction of %s", async (_name, tenantId) => {
    for (const table of protectedTables()) {
      const where = `where tenant_id = '${FOREIGN}'`;
      for (const statement of [`update ${table} set tenant_id = tenant_id ${where}`, `delete from ${table} ${where}`]) {
        const outcome = await attempt(service, tenantId, statement);

        const unchanged = APPEND_ONLY.includes(table)
          ? { rejected: true, code: "42501" }
          : { rejected: false, rowCount: 0, rows: [] };
        expect([statement, outcome]).toEqual([statement, unchanged]);
      }
    }
  });

  it("rejects a change of a row's tenant", async () => {
    for (const table of protectedTables()) {
      const statement = `update ${table} set tenant_id = 'dev_third' where tenant_id = '${OWN}'`;

      const outcome = await attempt(service, OWN, statement);

      expect([table, outcome]).toEqual([table, { rejected: true, code: "42501" }]);
    }
  });

  it("shows the rows of a secret table only to a transaction of their tenant", async () => {
    for (const table of protectedTables()) {
      const tenantsSeen = async (tenantId: string | null) => {
        const outcome = await attempt(service, tenantId, `select tenant_id from ${table} order by 1`);
        return outcome.rows?.map((row) => row.tenant_id);
      };

      const seen = [await tenantsSeen(OWN), await tenantsSeen(null), await tenantsSeen("dev_third")];

      const all = [FOREIGN, OWN];
      const expected = SECRET_TABLES.includes(table) ? [[OWN], [], []] : [all, all, all];
      expect([table, seen]).toEqual([table, expected]);
    }
  });

  it("applies to the owner's connection too", async () => {
    for (const table of protectedTables()) {
      const outcome = await attempt(owner, OWN, insertInto(table, "dev_third"));

      expect([table, outcome]).toEqual([table, { rejected: true, code: "42501" }]);
    }
  });

  it.each(APPEND_ONLY)("%s is append-only for the server, the owner and a superuser", async (table) => {
    const statements = [
      `update ${table} set tenant_id = tenant_id`,
      `delete from ${table}`,
      `truncate ${table} cascade`,
    ];
    for (const statement of statements) {
      const byService = await attempt(service, OWN, statement);
      const byOwner = await attempt(owner, OWN, statement);
      const bySuperuser = await attempt(superuser, OWN, statement);

      const rejectedByTrigger = { rejected: true, code: "23001" };
      expect([statement, byService]).toEqual([statement, { rejected: true, code: "42501" }]);
      expect([statement, byOwner]).toEqual([statement, rejectedByTrigger]);
      expect([statement, bySuperuser]).toEqual([statement, rejectedByTrigger]);
    }
  });

  it("every table of the audit trail is append-only, except audit_heads and audit_pending", async () => {
    const { rows } = await superuser.query<{ name: string }>(`
      select distinct event_object_table as name from information_schema.triggers
      where trigger_name = 'append_only' order by 1
    `);
    const trail = tenantTables().filter((table) => table.startsWith("audit_"));

    expect(rows.map(({ name }) => name)).toEqual(APPEND_ONLY);
    expect(trail).toEqual([...AUDIT_APPEND_ONLY, "audit_heads", "audit_pending"].sort());
  });
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}
