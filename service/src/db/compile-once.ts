import type { Compilable, CompiledQuery } from "kysely";
import { invariant } from "../foundation/invariant.ts";
import type { Db } from "./database.ts";
import type { THEN_COMMIT, WITH_NEXT } from "./round-trips.ts";

/** Placeholder for a parameter in the compiled statement. Each call replaces it with a value. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Returns a query that is built and compiled once, on the first call. Later calls only bind their values, because
 * building and compiling takes about as long as PostgreSQL takes to respond.
 *
 * `build` receives placeholders instead of values, so it can only pass them to the query builder. A condition that
 * depends on a value must be written in SQL. The first call throws if `build` reads a parameter that the statement does
 * not contain.
 *
 * With a `marker`, the statement is sent with the transaction's next one, or with its commit.
 */
export function compileOnce<Parameters extends object, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
  { marker = "" }: { readonly marker?: typeof WITH_NEXT | typeof THEN_COMMIT | "" } = {},
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, parameters) => {
    compiled ??= compile(db, build, marker);
    const values = compiled.parameters.map((parameter) =>
      parameter instanceof Placeholder ? Reflect.get(parameters, parameter.name) : parameter,
    );
    const { rows } = await db.executeQuery<Row>({ ...compiled, parameters: values });
    return rows;
  };
}

function compile<Parameters extends object, Row>(
  db: Db,
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
  marker: string,
): CompiledQuery<Row> {
  const read = new Map<string, Placeholder>();
  const placeholders = new Proxy<object>(
    {},
    {
      get: (_target, name) => {
        const placeholder = read.get(String(name)) ?? new Placeholder(String(name));
        read.set(placeholder.name, placeholder);
        return placeholder;
      },
    },
  );
  const compiled = build(db, placeholders as Parameters).compile();
  for (const placeholder of read.values()) {
    invariant(
      compiled.parameters.includes(placeholder),
      `the statement of compileOnce uses the parameter ${placeholder.name}`,
    );
  }
  return { ...compiled, sql: marker + compiled.sql };
}
