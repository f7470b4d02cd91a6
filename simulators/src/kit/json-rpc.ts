import { type Static, Type } from "typebox";
import { Check } from "typebox/value";
import type { VendorErrors, VendorResponse } from "./vendor-simulator.ts";

/** A JSON-RPC 2.0 call. Batches and notifications are rejected, because no adapter sends them. */
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

/** The result or the error of a method. */
export type RpcOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } };

/** Returns the request body as a JSON-RPC call. Throws a TypeError if it is not one. */
export function parseRpcCall(body: unknown): RpcCall {
  if (!Check(RpcCall, body)) throw new TypeError("The body is not a JSON-RPC call.");
  return body;
}

/** Returns the response to a call. Its status is 200 even if the method failed. */
export function rpcResponse({ id }: Pick<RpcCall, "id">, outcome: RpcOutcome): VendorResponse {
  return { status: 200, body: { jsonrpc: "2.0", id, ...outcome } };
}

export function unknownMethod({ method }: RpcCall): RpcOutcome {
  return { error: { code: -32601, message: `the method ${method} does not exist` } };
}

/** Errors that occur before the method runs. Their HTTP statuses are those of a typical API gateway. */
export const rpcErrors: VendorErrors = {
  unauthorized: () => errorResponse(401, -32401, "invalid api key provided"),
  invalid: (problems) =>
    errorResponse(
      400,
      -32600,
      problems.map(({ path, message }) => `${path}: ${message}`.replace(/^: /, "")).join(", "),
    ),
  notFound: () => errorResponse(404, -32601, "not found"),
  refused: () => errorResponse(403, -32403, "this api key is not allowed to call this method"),
  duplicate: (applied) => applied,
  rateLimited: () => errorResponse(429, -32429, "rate limited"),
  serverError: () => errorResponse(500, -32603, "internal error"),
};

function errorResponse(status: number, code: number, message: string): VendorResponse {
  return { status, body: { jsonrpc: "2.0", id: null, error: { code, message } } };
}
