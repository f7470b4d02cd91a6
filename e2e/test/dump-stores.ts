import { Redis } from "ioredis";
import { asSuperuser } from "../../service/test/project-seeds.ts";

/** One value in a table, as text. Bytes are hex-encoded, and objects are JSON. */
export interface Cell {
  readonly table: string;
  readonly column: string;
  /** Index of the row in its table's dump. */
  readonly row: number;
  readonly text: string;
}

/** Reads every value of every table, except PostgreSQL's system tables. */
export async function dumpCells(superuserUrl: string): Promise<Cell[]> {
  return asSuperuser(superuserUrl, async (client) => {
    const tables = await client.query<{ table: string }>(
      `select format('%I.%I', schemaname, tablename) as "table" from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    const cells: Cell[] = [];
    for (const { table } of tables.rows) {
      const { rows } = await client.query<{ values: Record<string, unknown> }>(
        `select to_jsonb(t) as values from ${table} as t`,
      );
      cells.push(...rows.flatMap(({ values }, row) => cellsOf({ table, row }, values)));
    }
    return cells;
  });
}

function cellsOf(place: Pick<Cell, "table" | "row">, values: Record<string, unknown>): Cell[] {
  return Object.entries(values)
    .filter(([, value]) => value !== null)
    .map(([column, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      return { ...place, column, text };
    });
}

/** Returns the cell's text. If the cell contains bytes, appends them as Latin-1. */
export function searchableText({ text }: Cell): string {
  return text.startsWith("\\x") ? `${text}\n${bytesOf(text).toString("latin1")}` : text;
}

/** Decodes PostgreSQL's hex format for `bytea`. */
export function bytesOf(text: string): Buffer {
  return Buffer.from(text.slice(2), "hex");
}

/** Returns every key in a Redis instance, with its value. */
export async function dumpRedis(url: string): Promise<string> {
  const redis = new Redis(url);
  try {
    const texts: string[] = [];
    for (const key of await redis.keys("*")) {
      const type = await redis.type(key);
      const read: Readonly<Record<string, () => Promise<unknown>>> = {
        string: () => redis.get(key),
        zset: () => redis.zrange(key, "0", "-1"),
        hash: () => redis.hgetall(key),
        list: () => redis.lrange(key, 0, -1),
        set: () => redis.smembers(key),
        // The key has expired since it was listed.
        none: async () => null,
      };
      const value = read[type];
      if (value === undefined) throw new Error(`${key} has the unsupported type ${type}.`);
      texts.push(`${key} ${JSON.stringify(await value())}`);
    }
    return texts.join("\n");
  } finally {
    redis.disconnect();
  }
}
