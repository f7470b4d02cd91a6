import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorAnswer, VendorErrors } from "./vendor-simulator.ts";

/** A call of JSON-RPC 2.0. Batches, and calls that want no answer, are refused: nothing of ours sends any. */
export const RpcCall = Type.Object(
  {
    jsonrpc: Type.Literal("2.0"),
    id: Type.Union([Type.Integer(), Type.String()]),
    method: Type.String(),
    params: Type.Optional(Type.Array(Type.Unknown())),
  },
  { additionalProperties: false },
);
export type RpcCall = Static<typeof RpcCall>;

/** What a method answers, or the error that it ends with. */
export type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string } };

/** The body of a route whose schema is `RpcCall`. */
export function rpcCallOf(body: unknown): RpcCall {
  if (!Check(RpcCall, body)) throw new TypeError("A call was handled that is none.");
  return body;
}

/** The answer to a call. Errors of a method are 200 too: the call itself went well. */
export function rpcAnswer({ id }: Pick<RpcCall, "id">, outcome: RpcOutcome): VendorAnswer {
  return { status: 200, body: { jsonrpc: "2.0", id, ...outcome } };
}

export function unknownMethod({ method }: RpcCall): RpcOutcome {
  return { error: { code: -32601, message: `the method ${method} does not exist` } };
}

/** What was refused before anybody looked at the method, under the status that it has at gateways. */
export const rpcErrors: VendorErrors = {
  unauthorized: () => refusal(401, -32401, "invalid api key provided"),
  invalid: (problems) =>
    refusal(
      400,
      -32600,
      problems.map(({ path, message }) => `${path}: ${message}`.replace(/^: /, "")).join(", "),
    ),
  notFound: () => refusal(404, -32601, "not found"),
  refused: () => refusal(403, -32403, "this api key may not do that"),
  duplicate: (applied) => applied,
  rateLimited: () => refusal(429, -32429, "rate limited"),
  serverError: () => refusal(500, -32603, "internal error"),
};

function refusal(status: number, code: number, message: string): VendorAnswer {
  return { status, body: { jsonrpc: "2.0", id: null, error: { code, message } } };
}
