import type { Answer } from "../signed-client.ts";
import { operations } from "./operations.ts";
import { recordReadHeaders } from "./read-headers.ts";
import {
  type Document,
  nameless,
  operationNames,
  undeclaredIn,
  undeclaredRequestHeaders,
} from "./undeclared.ts";
import { openWorld } from "./world.ts";

export interface Row {
  readonly operation: string;
  readonly credential: string;
  readonly expected: number;
  readonly actual: number;
  /** What the OpenAPI document does not declare of the answer: its status, its media type, its headers. */
  readonly undeclared: readonly string[];
  readonly ok: boolean;
}

export interface Conformance {
  readonly rows: readonly Row[];
  /** Operations of the service's own document that no row calls. */
  readonly missing: readonly string[];
  /** Request headers that the service looked at, and its document does not declare. */
  readonly undeclaredRequestHeaders: readonly string[];
}

/** Calls every operation as whom it is for, and as whom it is not, over HTTP against a product of its own. */
export async function runConformance(onRow: (row: Row) => void): Promise<Conformance> {
  const read = recordReadHeaders();
  const world = await openWorld();
  try {
    const document = (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as Document;
    const rows: Row[] = [];
    const note = (row: Row) => {
      rows.push(row);
      onRow(row);
    };
    const rowOf = rowsOf(document);
    for (const { name, credential, status, call, wrong } of operations) {
      // The wrong ones first: what they should not have done would keep the right one from succeeding.
      for (const attempt of wrong) {
        const answer = await attempt.call(world);
        note(rowOf(name, attempt.as, attempt.status, answer));
      }
      note(rowOf(name, credential, status, await call(world)));
    }
    const called = new Set(operations.map(({ name }) => nameless(name)));
    return {
      rows,
      missing: operationNames(document).filter((name) => !called.has(name)),
      undeclaredRequestHeaders: undeclaredRequestHeaders(document, read.names),
    };
  } finally {
    read.stop();
    await world.close();
  }
}

const rowsOf =
  (document: Document) =>
  (operation: string, credential: string, expected: number, answer: Answer): Row => {
    const actual = answer.status;
    const isProblem = answer.headers.get("content-type")?.startsWith("application/problem+json");
    // Every 401 says the same and no more.
    const isOpaque = actual !== 401 || detailOf(answer) === "Authentication failed.";
    const undeclared = undeclaredIn(document, operation, answer);
    const isRight = actual === expected && (actual < 400 || isProblem === true) && isOpaque;
    const ok = isRight && undeclared.length === 0;
    return { operation, credential, expected, actual, undeclared, ok };
  };

function detailOf({ body }: Answer): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "detail") : undefined;
}
