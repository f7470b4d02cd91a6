import type pg from "pg";

/** What the baseline's sagas share. */
export interface Context {
  readonly tenantId: string;
  readonly pool: pg.Pool;
  readonly sealingKey: Buffer;
}

export interface Tx {
  // biome-ignore lint/suspicious/noExplicitAny: pg rows are untyped
  run(text: string, values: readonly unknown[]): Promise<any[]>;
  insert(table: string, row: Readonly<Record<string, unknown>>): Promise<void>;
}

export async function inTransaction<Result>(
  { pool, tenantId }: Context,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  const run = async (text: string, values: readonly unknown[]) => {
    const { rows } = await client.query({ name: nameOf(text), text, values: [...values] });
    return rows;
  };
  const insert = async (table: string, row: Readonly<Record<string, unknown>>) => {
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`);
    const text = `insert into ${table} (${columns.join(", ")}) values (${places.join(", ")})`;
    await run(text, Object.values(row));
  };
  try {
    await client.query("begin");
    await run("select set_config('purser.tenant_id', $1, true)", [tenantId]);
    const result = await work({ run, insert });
    await client.query("commit");
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  const name = names.get(text) ?? `statement${names.size}`;
  names.set(text, name);
  return name;
}
