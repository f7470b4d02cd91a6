import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase } from "../../test/database.ts";
import { readTableKinds } from "../../test/db/table-kinds.ts";

/** What Citus would refuse, or what deviates from the rule, and why it may stay until tables are distributed. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "approvals: unique (token_hash, tenant_id)": "starts with the token, by which the mailed link finds the approval",
  "budget_reservation_lines: unique (budget_id, tenant_id, period_start, reservation_id)":
    "starts with the budget: the sums of one budget are next to each other",
  "ledger_accounts: unique (subject_id, tenant_id, mode, subject_type, kind, asset)":
    "starts with the subject, of which an account has few",
  "services: unique (service_id)": "made not unique before the distribution: the ids are random",
  "wallets: unique (network, ?)": "made not unique before the distribution: an address is derived from a random key",
  "user_operations: unique (user_op_hash)":
    "made unique in the tenant before the distribution: the hash has the address",
  "refresh_tokens -> sessions": "dropped before the distribution",
  "device_authorizations -> tenant_data_keys": "dropped before the distribution",
  "operator_transactions -> wallets": "dropped before the distribution",
};

interface Index {
  readonly name: string;
  readonly columns: readonly string[];
}

interface Reference {
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly targets: readonly string[];
}

/** Checks what Citus requires of a schema that is distributed by tenant. It is not installed. */
describe("the tables, as docs/operate/scale.md divides them for Citus", () => {
  let client: Client;
  let tables: readonly string[];
  const kinds = new Map(readTableKinds());
  const kindOf = (name: string) => kinds.get(name);

  beforeAll(async () => {
    const { superuserUrl } = await createServiceDatabase();
    client = new Client({ connectionString: superuserUrl });
    await client.connect();
    const { rows } = await client.query<{ name: string }>(`
      select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'pii'::regnamespace) order by 1`);
    tables = rows.map(({ name }) => name);
  });
  afterAll(() => client.end());

  it("the page lists every table once", () => {
    const listed = readTableKinds().map(([name]) => name);

    expect(listed.toSorted()).toEqual(tables.toSorted());
  });

  it("each distributed table has the tenant first in its primary key, and in every unique index", async () => {
    const { rows } = await client.query<Index & { readonly isPrimary: boolean }>(`
      select indrelid::regclass::text as name, indisprimary as "isPrimary",
        array(select coalesce(attname::text, '?') from unnest(indkey::int2[]) with ordinality as key (number, place)
          left join pg_attribute on attrelid = indrelid and attnum = key.number order by place) as columns
      from pg_index join pg_class on pg_class.oid = indrelid
      where indisunique and relnamespace in ('public'::regnamespace, 'pii'::regnamespace)`);
    const distributed = rows.filter(({ name }) => kindOf(name) === "distributed");
    const deviating = distributed.filter(({ columns }) => columns[0] !== "tenant_id");

    expect(new Set(distributed.filter(({ isPrimary }) => isPrimary).map(({ name }) => name)).size).toBeGreaterThan(60);
    expect(unexplained(deviating.map(({ name, columns }) => `${name}: unique (${columns.join(", ")})`))).toEqual([]);
  });

  it("a foreign key of a distributed table contains the tenant, or refers to a reference table", async () => {
    const { rows } = await client.query<Reference>(`
      select conrelid::regclass::text as from, confrelid::regclass::text as to,
        array(select attname::text from unnest(conkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = conrelid and attnum = key.number order by place) as columns,
        array(select attname::text from unnest(confkey) with ordinality as key (number, place)
          join pg_attribute on attrelid = confrelid and attnum = key.number order by place) as targets
      from pg_constraint where contype = 'f'
        and connamespace in ('public'::regnamespace, 'pii'::regnamespace)`);
    const isAllowed = ({ from, to, columns, targets }: Reference) => {
      if (kindOf(to) === "reference") return kindOf(from) !== "local";
      return kindOf(from) === "distributed" && columns[0] === "tenant_id" && targets[0] === "tenant_id";
    };

    expect(rows.length).toBeGreaterThan(50);
    expect(unexplained(rows.filter((row) => !isAllowed(row)).map(({ from, to }) => `${from} -> ${to}`))).toEqual([]);
  });

  it("each table with a tenant is distributed or a reference table", async () => {
    const { rows } = await client.query<{ name: string }>(`
      select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
      where attname = 'tenant_id' and relkind = 'r' and relnamespace in ('public'::regnamespace, 'pii'::regnamespace)`);
    const withTenant = rows.map(({ name }) => name);

    expect(withTenant.filter((name) => kindOf(name) === "local")).toEqual([]);
    expect(tables.filter((name) => kindOf(name) === "distributed" && !withTenant.includes(name))).toEqual([]);
  });

  it("every exception is one", async () => {
    expect(Object.keys(EXCEPTIONS).filter((text) => !seen.has(text))).toEqual([]);
  });

  const seen = new Set<string>();
  function unexplained(found: readonly string[]): string[] {
    for (const text of found) seen.add(text);
    return found.filter((text) => EXCEPTIONS[text] === undefined);
  }
});
