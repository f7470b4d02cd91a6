import type { ApiResponse } from "../signed-client.ts";
import { credentialOf, type Name, successStatus } from "./api-document.ts";
import type { Call, Caller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";
import { wrongCredentials } from "./wrong-credentials.ts";

/** What a call sends in addition to its method, its path and its credential. A `path` replaces that of the operation. */
type Fields = Partial<Omit<Call, "method">>;
export type RequestOf = Fields | ((context: ConformanceContext) => Fields | Promise<Fields>);
export type CallerOf = (context: ConformanceContext) => Caller | Promise<Caller>;

interface Attempt {
  readonly request?: RequestOf;
  readonly as?: CallerOf;
}

/** A call with a wrong credential or wrong input. What it leaves out is as in the correct call. */
export interface WrongCall extends Attempt {
  /** What is wrong with the call, for example `no credential`. */
  readonly description: string;
  /** The expected status. */
  readonly status: number;
}

interface Extra extends Attempt {
  readonly status?: number;
  /** Runs between the wrong calls and the correct call. */
  readonly before?: (context: ConformanceContext) => Promise<unknown>;
  /** Values of the response for later operations: their names, and their paths in the body. */
  readonly save?: Readonly<Record<string, string>>;
  readonly after?: (context: ConformanceContext, response: ApiResponse) => unknown;
  readonly wrong?: readonly WrongCall[];
}

/** One API operation. Operations are called in list order, because later ones use objects that earlier ones created. */
export interface Operation extends Extra {
  readonly name: Name;
  readonly credential: ReturnType<typeof credentialOf>;
  readonly status: number;
  readonly wrong: readonly WrongCall[];
}

/**
 * Defines a row: one operation and how it is called. Method, credential class and status are those of the OpenAPI document.
 * Parameters of the path have the values that earlier operations saved under their names. The operation is also called with
 * each wrong credential of its class.
 */
export function row(name: Name, extra: Extra = {}): Operation {
  const credential = credentialOf(name);
  const wrong = [...wrongCredentials(credential), ...(extra.wrong ?? [])];
  return { status: successStatus(name), ...extra, name, credential, wrong };
}

/** Defines a wrong call. */
export function wrong(description: string, status: number, attempt: Attempt = {}): WrongCall {
  return { description, status, ...attempt };
}

const CALLERS: Readonly<Record<Operation["credential"], CallerOf>> = {
  public: ({ anonymous }) => anonymous,
  vendor: ({ anonymous }) => anonymous,
  dashboard: ({ session }) => session,
  admin: ({ adminCaller }) => adminCaller(),
  tenant: ({ live }) => live,
  signed: ({ live }) => live,
};

/** Makes the correct call, or a wrong one. Returns what was sent too. */
export async function attempt(
  operation: Operation,
  context: ConformanceContext,
  { as = operation.as ?? CALLERS[operation.credential], request = operation.request ?? {} }: Attempt = operation,
): Promise<{ readonly call: Call; readonly response: ApiResponse }> {
  const [method, path = ""] = operation.name.split(" ") as [Call["method"], string];
  const fields = typeof request === "function" ? await request(context) : request;
  const values = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => context.recall(name) || "unknown");
  const call = { method, path: values, ...fields };
  return { call, response: await (await as(context))(call) };
}

/** Saves values of the response to the correct call for later operations. */
export function saveValues({ save = {}, after }: Operation, context: ConformanceContext, response: ApiResponse): void {
  for (const [name, path] of Object.entries(save)) context.saved.set(name, text(response, path));
  after?.(context, response);
}
