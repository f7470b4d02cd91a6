import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { VendorError } from "../ports/vendor-error.ts";
import type { VendorCall, VendorClient } from "./vendor-client.ts";
import { vendorSentence } from "./vendor-words.ts";

/** One call a request, so that every answer has the same number. */
const ID = 1;

const RpcAnswer = Type.Object({
  jsonrpc: Type.Literal("2.0"),
  id: Type.Union([Type.Literal(ID), Type.Null()]),
  result: Type.Optional(Type.Unknown()),
  error: Type.Optional(Type.Object({ code: Type.Integer(), message: Type.String() })),
});

export interface RpcRequest<Schema extends TSchema>
  extends Pick<VendorCall<Schema>, "path" | "query" | "secrets"> {
  readonly vendor: string;
  /** A method without parameters that changes nothing. */
  readonly method: string;
  /** Of the result. */
  readonly result: Schema;
}

/** Asks a JSON-RPC 2.0 node. Its own error is `unavailable`: nothing happened, and a node that is behind catches up. */
export async function askRpc<Schema extends TSchema>(
  client: VendorClient,
  { vendor, method, result, ...where }: RpcRequest<Schema>,
): Promise<Static<Schema>> {
  const operation = method;
  const answer = await client.call({
    ...where,
    operation,
    method: "POST",
    body: { jsonrpc: "2.0", id: ID, method, params: [] },
    schema: RpcAnswer,
  });
  if (answer.error !== undefined) {
    const { code, message } = answer.error;
    throw new VendorError("unavailable", {
      vendor,
      operation,
      vendorCode: String(code),
      vendorMessage: vendorSentence(message, where.secrets ?? []),
    });
  }
  if (!Check(result, answer.result)) {
    const vendorMessage = "a result of another shape than asked for";
    throw new VendorError("unknown", { vendor, operation, vendorMessage });
  }
  return answer.result;
}
