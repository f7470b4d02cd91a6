import type { ApiResponse } from "../signed-client.ts";
import type { CredentialClass, Name } from "./api-document.ts";
import type { Call, Caller } from "./callers.ts";
import { type ConformanceContext, text } from "./context.ts";

/** What a call sends in addition to its method, its path and its credential. A `path` replaces that of the operation. */
type Fields = Partial<Omit<Call, "method">>;
export type RequestOf = Fields | ((context: ConformanceContext) => Fields | Promise<Fields>);
export type CallerOf = (context: ConformanceContext) => Caller | Promise<Caller>;

export interface Attempt {
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

export interface Extra extends Attempt {
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
  readonly credential: CredentialClass;
  readonly status: number;
  readonly wrong: readonly WrongCall[];
}

const CALLERS: Readonly<Record<CredentialClass, CallerOf>> = {
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
