/** `openapi/operations.json`: the operations of the API, and the schemas to which their bodies refer. */
export interface OperationTable {
  readonly operations: readonly Operation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

export interface Operation {
  readonly operationId: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly description: string;
  readonly pathParameters: Operation["query"];
  readonly query: readonly {
    readonly name: string;
    readonly description: string;
    readonly schema: Schema;
    readonly isRequired: boolean;
  }[];
  readonly body?: Schema;
}

/** A JSON schema, as far as it is read here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly [keyword: string]: unknown;
}

/** @throws Error if the table has no such operation. */
export function findOperation({ operations }: OperationTable, operationId: string): Operation {
  const operation = operations.find((one) => one.operationId === operationId);
  if (operation === undefined) throw new Error(`The table of operations has no ${operationId}.`);
  return operation;
}
