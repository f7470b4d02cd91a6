import type { Stores } from "../stores.ts";

/** What a request does: the names of the response's fields, and how many rows of each table it adds. */
export async function effectOf(stores: Stores, send: () => Promise<unknown>) {
  const before = await countRows(stores);
  const response = await send();
  const after = await countRows(stores);
  const added = Object.entries(after).map(([table, rows]) => [table, rows - (before[table] ?? 0)] as const);
  return { fields: fieldsOf(response), added: added.filter(([, rows]) => rows !== 0) };
}

/** Returns the number of rows of each table, except for those that jobs and the server write meanwhile. */
async function countRows(stores: Stores): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  await stores.asSuperuser(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'api_keys' order by 1",
    );
    for (const { name } of rows) {
      const counted = await client.query(`select count(*)::integer as rows from ${name}`);
      counts[name] = Number(counted.rows[0]?.rows);
    }
  });
  return counts;
}

/** Returns the names of the fields, with those of nested objects. */
function fieldsOf(value: unknown): unknown {
  if (value === null || typeof value !== "object") return value === null ? null : typeof value;
  const fields = Object.entries(value).map(([name, nested]) => [name, fieldsOf(nested)] as const);
  return Object.fromEntries(fields.toSorted(([a], [b]) => a.localeCompare(b)));
}
