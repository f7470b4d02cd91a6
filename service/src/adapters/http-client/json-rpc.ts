import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { type VendorCall, type VendorClient, vendorApi } from "./vendor-client.ts";

/** Requests are not batched, so all of them can use the same id. */
const ID = 1;

// A response with a JSON-RPC error has no `result`, so it does not match this schema and the call fails.
const RpcResponse = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Literal(ID),
  result: Type.Unknown(),
});

export interface RpcRequest<Schema extends TSchema> extends Pick<VendorCall<Schema>, "query" | "secrets"> {
  /** Default: the client's base URL. */
  readonly path?: string;
  readonly method: string;
  readonly params?: readonly unknown[];
  readonly result: Schema;
}

/**
 * Calls a JSON-RPC 2.0 method. Throws a `VendorError` with the failure `unknown` if a successful HTTP response contains
 * a JSON-RPC error or an unexpected result.
 */
export async function callRpc<Schema extends TSchema>(
  client: VendorClient,
  { method, params = [], path = "", result, ...content }: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const api = vendorApi(client);
  const body = { jsonrpc: "2.0", id: ID, method, params };
  const response = await api.post(method, path, RpcResponse, { ...content, body });
  if (Check(result, response.result)) return response.result;
  throw api.error("unknown", method, "the result has an unexpected shape");
}
