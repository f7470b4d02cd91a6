import type { Compilable, CompiledQuery } from "kysely";
import { invariant } from "../foundation/invariant.ts";
import type { Db } from "./database.ts";

/** Stands in a statement for the value of a parameter that is only known at each call. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A query of the hot path. Building and compiling it costs about as much as Postgres takes to answer, so that is done at
 * the first call, and every later one only brings its own values: a flat object of them.
 *
 * `build` sees placeholders and not values. It may hand them on to the builder, and decide nothing by them: what depends on
 * a value is said in SQL. A parameter that it reads and does not put into the statement stops the first call.
 */
export function compileOnce<Parameters extends object, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  let compiled: CompiledQuery<Row> | undefined;
  return async (db, parameters) => {
    compiled ??= compile(db, build);
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
      `a query that is compiled once puts ${placeholder.name} into its statement`,
    );
  }
  return compiled;
}
