import { type Answer, PREFIX } from "../signed-client.ts";
import { operations } from "./operations.ts";
import { openWorld, type World } from "./world.ts";

export interface Row {
  readonly operation: string;
  readonly credential: string;
  readonly expected: number;
  readonly actual: number;
  readonly ok: boolean;
}

export interface Conformance {
  readonly rows: readonly Row[];
  /** Routes below these prefixes that the service's own document names and no row calls. */
  readonly missing: readonly string[];
}

/** Of these areas every route has a row. */
const COVERED = /^\/(developers|audit|limits|time)\b/;

/** Calls every operation as whom it is for, and as whom it is not, over HTTP against a product of its own. */
export async function runConformance(onRow: (row: Row) => void): Promise<Conformance> {
  const world = await openWorld();
  try {
    const rows: Row[] = [];
    const note = (row: Row) => {
      rows.push(row);
      onRow(row);
    };
    for (const { name, credential, status, call, wrong } of operations) {
      // The wrong ones first: what they should not have done would keep the right one from succeeding.
      for (const attempt of wrong) {
        const answer = await attempt.call(world);
        note(rowOf(name, attempt.as, attempt.status, answer));
      }
      note(rowOf(name, credential, status, await call(world)));
    }
    return { rows, missing: await missingRoutes(world) };
  } finally {
    await world.close();
  }
}

function rowOf(operation: string, credential: string, expected: number, answer: Answer): Row {
  const actual = answer.status;
  const isProblem = answer.headers.get("content-type")?.startsWith("application/problem+json");
  // Every 401 says the same and no more.
  const isOpaque = actual !== 401 || detailOf(answer) === "Authentication failed.";
  const ok = actual === expected && (actual < 400 || isProblem === true) && isOpaque;
  return { operation, credential, expected, actual, ok };
}

function detailOf({ body }: Answer): unknown {
  return typeof body === "object" && body !== null ? Reflect.get(body, "detail") : undefined;
}

async function missingRoutes({ baseUrl }: World): Promise<string[]> {
  const document = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Readonly<Record<string, object>>;
  };
  const called = new Set(operations.map(({ name }) => name.replaceAll(/\{\w+\}/g, "{}")));
  return Object.entries(document.paths).flatMap(([path, methods]) => {
    const below = path.startsWith(PREFIX) ? path.slice(PREFIX.length) : "";
    if (!COVERED.test(below)) return [];
    return Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${below}`)
      .filter((name) => !called.has(name.replaceAll(/\{\w+\}/g, "{}")));
  });
}
