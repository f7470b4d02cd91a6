import type { ApiResponse } from "../signed-client.ts";
import { operationNames } from "./api-document.ts";
import { recordReadHeaders } from "./checks/read-headers.ts";
import { undeclaredIn, undeclaredRequestHeaders } from "./checks/undeclared.ts";
import { startConformanceContext } from "./context.ts";
import { type Example, exampleOf } from "./examples.ts";
import { attempt, type Operation, saveValues } from "./operation.ts";
import { operations } from "./operations.ts";

export interface Row {
  readonly operation: string;
  readonly credential: string;
  readonly expected: number;
  readonly actual: number;
  /** Parts of the response (status, media type, headers, error code) that the OpenAPI document does not declare. */
  readonly undeclared: readonly string[];
  readonly ok: boolean;
}

export interface Conformance {
  readonly rows: readonly Row[];
  /** Operations of the OpenAPI document that are not called. */
  readonly missing: readonly string[];
  /** Request headers that the server reads but the OpenAPI document does not declare. */
  readonly undeclaredRequestHeaders: readonly string[];
  /** The bodies of each correct call, by operation id. */
  readonly examples: Readonly<Record<string, Example>>;
}

/** Starts Purser and calls every operation over HTTP, with the correct credential and with wrong ones. */
export async function runConformance(onRow: (row: Row) => void): Promise<Conformance> {
  const read = recordReadHeaders();
  const context = await startConformanceContext();
  try {
    const rows: Row[] = [];
    const examples: Record<string, Example> = {};
    const addRow = (row: Row) => {
      rows.push(row);
      onRow(row);
    };
    for (const operation of operations) {
      // The wrong calls run before the correct call. If a wrong call changes something, the correct call can then fail
      // and reveal the change.
      for (const wrong of operation.wrong) {
        const { response } = await attempt(operation, context, wrong);
        addRow(rowOf(operation, wrong.description, wrong.status, response));
      }
      await operation.before?.(context);
      const { call, response } = await attempt(operation, context);
      addRow(rowOf(operation, operation.credential, operation.status, response));
      if (response.status < 400) saveValues(operation, context, response);
      Object.assign(examples, exampleOf(operation.name, call, response));
    }
    const called = new Set<string>(operations.map(({ name }) => name));
    return {
      rows,
      missing: operationNames.filter((name) => !called.has(name)),
      undeclaredRequestHeaders: undeclaredRequestHeaders(read.names),
      examples,
    };
  } finally {
    read.stop();
    await context.close();
  }
}

function rowOf({ name }: Operation, credential: string, expected: number, response: ApiResponse): Row {
  const actual = response.status;
  const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
  // Every 401 must have the same detail, so that it does not reveal the reason.
  const hasGenericDetail = actual !== 401 || detailOf(response) === "Authentication failed.";
  const undeclared = undeclaredIn(name, response);
  const isExpected = actual === expected && (actual < 400 || isProblem === true) && hasGenericDetail;
  const ok = isExpected && undeclared.length === 0;
  return { operation: name, credential, expected, actual, undeclared, ok };
}

function detailOf({ body }: ApiResponse): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "detail") : undefined;
}
