import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "../http-client/vendor-client.ts";

/** Requests are not batched, so all of them can use the same id. */
const ID = 1;

// A response with a JSON-RPC error has no `result`, so it does not match this schema and the call fails.
const RpcResponse = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Literal(ID),
  result: Type.Unknown(),
});

export interface RpcRequest<Schema extends TSchema> extends Pick<VendorCall<Schema>, "path" | "query" | "secrets"> {
  readonly vendor: string;
  /** A read-only method without parameters. */
  readonly method: string;
  readonly result: Schema;
}

/**
 * Calls a JSON-RPC 2.0 method. Throws a `VendorError` with the failure `unknown` if a successful HTTP response contains
 * a JSON-RPC error or an unexpected result.
 */
export async function callRpc<Schema extends TSchema>(
  client: VendorClient,
  { vendor, method, result, ...target }: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const response = await client.call({
    ...target,
    operation: method,
    method: "POST",
    body: { jsonrpc: "2.0", id: ID, method, params: [] },
    schema: RpcResponse,
  });
  if (Check(result, response.result)) return response.result;
  throw new VendorError("unknown", {
    vendor,
    operation: method,
    vendorMessage: "the result has an unexpected shape",
  });
}
