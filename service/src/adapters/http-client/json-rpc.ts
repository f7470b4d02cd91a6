import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../../ports/vendor-error.ts";
import { type VendorCall, type VendorClient, vendorApi } from "./vendor-client.ts";
import { safeVendorMessage } from "./vendor-error-text.ts";

/** Requests are not batched, so all of them can use the same id. */
const ID = 1;

const RpcResponse = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Union([Type.Literal(ID), Type.Null()]),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

export interface RpcRequest<Schema extends TSchema> extends Pick<VendorCall<Schema>, "query" | "secrets"> {
  /** Default: the client's base URL. */
  readonly path?: string;
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result: Schema;
}

/** The error of a method that could not be executed. */
export interface RpcFailure {
  readonly code: number;
  readonly message: string;
}

export type RpcOutcome<Result> = { readonly result: Result } | { readonly failure: RpcFailure };

/**
 * Calls a JSON-RPC 2.0 method. Throws a `VendorError` with the failure `unknown` if a successful HTTP response contains
 * a JSON-RPC error or an unexpected result.
 */
export async function callRpc<Schema extends TSchema>(
  client: VendorClient,
  request: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const outcome = await tryRpc(client, request);
  if ("result" in outcome) return outcome.result;
  const { code, message: vendorMessage } = outcome.failure;
  const error = { vendor: client.vendor, operation: request.method, vendorCode: String(code), vendorMessage };
  throw new VendorError("unknown", error);
}

/** Calls a method, and returns the error if it could not be executed. */
export async function tryRpc<Schema extends TSchema>(
  client: VendorClient,
  { method, params = [], path = "", result: schema, ...content }: RpcRequest<Schema>,
): Promise<RpcOutcome<Static<Schema>>> {
  const api = vendorApi(client);
  const body = { jsonrpc: "2.0", id: ID, method, params };
  const { id, result, error } = await api.post(method, path, RpcResponse, { ...content, body });
  if (error !== undefined) {
    const secrets = [...(client.secrets ?? []), ...(content.secrets ?? [])];
    return { failure: { code: error.code, message: safeVendorMessage(error.message, secrets) } };
  }
  if (id === ID && Check(schema, result)) return { result };
  throw api.error("unknown", method, "the result has an unexpected shape");
}
