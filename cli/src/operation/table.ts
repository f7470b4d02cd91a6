import { readFileSync } from "node:fs";

/** A JSON schema, as far as the command line and the generators read it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly format?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly example?: unknown;
  readonly maximum?: number;
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

/** The credentials that an operation accepts. */
export type Access = "public" | "dashboard" | "signed" | "tenant";

/** An operation of the API, as `npm run generate` writes it. */
export interface Operation {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Without `/api/v1/svc`, for example `/projects/{project_id}/services`. */
  readonly path: string;
  /** The groups of the SDK's method and its name: `["projects", "services", "add"]`. */
  readonly sdk: readonly string[];
  readonly access: Access;
  readonly summary: string;
  readonly description: string;
  readonly pathParameters: readonly Parameter[];
  readonly query: readonly Parameter[];
  /** The schema of the JSON body. */
  readonly body?: Schema | undefined;
  /** Whether the request must have `X-Agent-ID`. */
  readonly requiresAgent: boolean;
  readonly isPaged: boolean;
}

interface OperationTable {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The built package has the table beside the program, a checkout has it where it is generated. */
const FILES = ["./operations.json", "../../../openapi/operations.json"];

let table: OperationTable | undefined;

/** Returns the operations that need a key pair or no credentials. The others need a session of the dashboard. */
export function operations(): readonly Operation[] {
  return operationTable().operations.filter(({ access }) => access !== "dashboard");
}

/** @throws Error if the table has no such operation. */
export function findOperation(operationId: string): Operation {
  const found = operationTable().operations.find((one) => one.operationId === operationId);
  if (found === undefined) throw new Error(`The table of operations has no ${operationId}.`);
  return found;
}

/** Returns the schema that a reference names, with the description of the reference, or the schema itself. */
export function resolveSchema({ $ref, ...own }: Schema): Schema {
  const named = $ref === undefined ? undefined : operationTable().schemas[$ref.split("/").at(-1) ?? ""];
  return named === undefined ? own : { ...resolveSchema(named), ...own };
}

function operationTable(): OperationTable {
  table ??= JSON.parse(readTable());
  return table as OperationTable;
}

function readTable(): string {
  for (const file of FILES) {
    try {
      return readFileSync(new URL(file, import.meta.url), "utf8");
    } catch {
      // The next place has it.
    }
  }
  throw new Error("The installation is incomplete: operations.json is missing. Install @purser/cli again.");
}
