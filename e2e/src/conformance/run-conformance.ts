import type { ApiResponse } from "../signed-client.ts";
import { recordReadHeaders } from "./checks/read-headers.ts";
import {
  type Document,
  operationNames,
  undeclaredIn,
  undeclaredRequestHeaders,
  withoutParameterNames,
} from "./checks/undeclared.ts";
import { startConformanceContext } from "./context.ts";
import { operations } from "./operations.ts";

export interface Row {
  readonly operation: string;
  readonly credential: string;
  readonly expected: number;
  readonly actual: number;
  /** Parts of the response (status, media type, headers) that the OpenAPI document does not declare. */
  readonly undeclared: readonly string[];
  readonly ok: boolean;
}

export interface Conformance {
  readonly rows: readonly Row[];
  /** Operations of the OpenAPI document that are not called. */
  readonly missing: readonly string[];
  /** Request headers that the server reads but the OpenAPI document does not declare. */
  readonly undeclaredRequestHeaders: readonly string[];
}

/** Starts Purser and calls every operation over HTTP, with the correct credential and with wrong ones. */
export async function runConformance(onRow: (row: Row) => void): Promise<Conformance> {
  const read = recordReadHeaders();
  const context = await startConformanceContext();
  try {
    const document = (await (await fetch(`${context.baseUrl}/openapi.json`)).json()) as Document;
    const rows: Row[] = [];
    const addRow = (row: Row) => {
      rows.push(row);
      onRow(row);
    };
    const rowOf = rowsOf(document);
    for (const { name, credential, status, call, wrongCalls } of operations) {
      // The wrong calls run before the correct call. If a wrong call changes something, the correct call can then fail
      // and reveal the change.
      for (const attempt of wrongCalls) {
        const response = await attempt.call(context);
        addRow(rowOf(name, attempt.description, attempt.status, response));
      }
      addRow(rowOf(name, credential, status, await call(context)));
    }
    const called = new Set(operations.map(({ name }) => withoutParameterNames(name)));
    return {
      rows,
      missing: operationNames(document).filter((name) => !called.has(name)),
      undeclaredRequestHeaders: undeclaredRequestHeaders(document, read.names),
    };
  } finally {
    read.stop();
    await context.close();
  }
}

const rowsOf =
  (document: Document) =>
  (operation: string, credential: string, expected: number, response: ApiResponse): Row => {
    const actual = response.status;
    const isProblem = response.headers.get("content-type")?.startsWith("application/problem+json");
    // Every 401 must have the same detail, so that it does not reveal the reason.
    const hasGenericDetail = actual !== 401 || detailOf(response) === "Authentication failed.";
    const undeclared = undeclaredIn(document, operation, response);
    const isExpected = actual === expected && (actual < 400 || isProblem === true) && hasGenericDetail;
    const ok = isExpected && undeclared.length === 0;
    return { operation, credential, expected, actual, undeclared, ok };
  };

function detailOf({ body }: ApiResponse): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "detail") : undefined;
}
