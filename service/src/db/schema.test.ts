import { fileURLToPath } from "node:url";
import { Client } from "pg";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createServiceDatabase, type TestDatabase } from "../../test/database.ts";

/** Whether each column has a certain property, such as being nullable, by `table.column`. */
type Columns = ReadonlyMap<string, boolean>;

describe("db/schema.ts", () => {
  let database: TestDatabase;
  let client: Client;

  beforeAll(async () => {
    database = await createServiceDatabase();
    client = new Client({ connectionString: database.ownerUrl });
    await client.connect();
  });

  afterAll(async () => {
    await client.end();
  });

  it("declares the same tables, columns and nullability as the migrations", async () => {
    const { rows } = await client.query<{ name: string; nullable: boolean }>(`
      select table_name || '.' || column_name as name, is_nullable = 'YES' as nullable
      from information_schema.columns
      where table_schema = 'public' and table_name <> 'schema_migrations'
    `);
    const inDatabase: Columns = new Map(rows.map(({ name, nullable }) => [name, nullable]));
    const inTypes = columnsOf((value) => mayBe(ts.TypeFlags.Null, value.selected));

    expect(inTypes.size).toBeGreaterThan(100);
    expect(sorted(inTypes)).toEqual(sorted(inDatabase));
  });

  it("marks a column as optional on insert only if it is nullable or has a default", async () => {
    const { rows } = await client.query<{ name: string }>(`
      select table_name || '.' || column_name as name
      from information_schema.columns
      where table_schema = 'public' and (is_nullable = 'YES' or column_default is not null)
    `);
    const hasDefault = new Set(rows.map(({ name }) => name));
    const optionalOnInsert = columnsOf((value) => mayBe(ts.TypeFlags.Undefined, value.inserted));

    const wrong = [...optionalOnInsert].filter(([name, isOptional]) => isOptional && !hasDefault.has(name));
    expect(wrong).toEqual([]);
    expect([...optionalOnInsert.values()]).toContain(true);
  });
});

function sorted(columns: Columns) {
  return [...columns].sort(([a], [b]) => (a < b ? -1 : 1));
}

interface ColumnTypes {
  readonly selected: ts.Type;
  readonly inserted: ts.Type;
}

/** Reads the columns of the interface `Schema` with the TypeScript compiler, and evaluates `question` for each. */
function columnsOf(question: (column: ColumnTypes) => boolean): Columns {
  const file = fileURLToPath(new URL("./schema.ts", import.meta.url));
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2024,
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: ["node"],
  });
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const schema = source?.statements.filter(ts.isInterfaceDeclaration).find(({ name }) => name.text === "Schema");
  if (schema === undefined) throw new Error("db/schema.ts declares no interface Schema.");

  const typeOf = (symbol: ts.Symbol) => checker.getTypeOfSymbolAtLocation(symbol, schema);
  /** Returns the select or insert type of a Kysely `ColumnType`. Returns any other type unchanged. */
  const part = (column: ts.Type, name: string) => {
    const property = column.getProperty(name);
    return property === undefined ? column : typeOf(property);
  };
  return new Map(
    checker
      .getTypeAtLocation(schema)
      .getProperties()
      .flatMap((table) =>
        typeOf(table)
          .getProperties()
          .map((column) => {
            const type = typeOf(column);
            const types = {
              selected: part(type, "__select__"),
              inserted: part(type, "__insert__"),
            };
            return [`${snakeCase(table.name)}.${snakeCase(column.name)}`, question(types)] as const;
          }),
      ),
  );
}

function mayBe(flag: ts.TypeFlags, type: ts.Type): boolean {
  const members = type.isUnion() ? type.types : [type];
  return members.some(({ flags }) => (flags & flag) !== 0);
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
