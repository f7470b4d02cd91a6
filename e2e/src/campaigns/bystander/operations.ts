import { PREFIX } from "../../signed-client.ts";
import type { Resolve, Schema } from "./bodies.ts";

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
const PUBLIC_BODY_BYTES_MAX = 16 * 1024;
const BODY_BYTES_MAX = 256 * 1024;

/** An operation of the OpenAPI document. */
export interface AttackedOperation {
  readonly method: string;
  /** The path relative to the API prefix, with parameters in braces. */
  readonly path: string;
  readonly credential: "public" | "dashboard" | "admin" | "signed";
  readonly queryNames: readonly string[];
  /** Null if the operation has no JSON body. */
  readonly bodySchema: Schema | null;
  /** Maximum body size for routes with this credential (docs/rules/requests.md). */
  readonly bodyBytesMax: number;
}

interface Described {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
}

/** Reads the operations from the server's OpenAPI document. */
export async function readOperations(
  url: string,
): Promise<{ readonly operations: readonly AttackedOperation[]; readonly resolve: Resolve }> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = document.components;
  const resolve: Resolve = (schema) =>
    schema.$ref === undefined ? schema : resolve(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.flatMap((method) => {
      const described = methods[method];
      if (described === undefined || !path.startsWith(PREFIX)) return [];
      // A vendor signs its webhooks in its own way.
      if (path.startsWith(`${PREFIX}/vendor-webhooks/`)) return [];
      return [operationOf(method.toUpperCase(), path.slice(PREFIX.length), described)];
    }),
  );
  return { operations, resolve };
}

function operationOf(method: string, path: string, described: Described): AttackedOperation {
  const { security = [], parameters = [], requestBody } = described;
  const credential = credentialOf(security.flatMap((scheme) => Object.keys(scheme)));
  return {
    method,
    path,
    credential,
    queryNames: parameters.filter((one) => one.in === "query").map(({ name }) => name),
    bodySchema: requestBody?.content["application/json"]?.schema ?? null,
    bodyBytesMax: credential === "public" ? PUBLIC_BODY_BYTES_MAX : BODY_BYTES_MAX,
  };
}

function credentialOf(schemes: readonly string[]): AttackedOperation["credential"] {
  if (schemes.length === 0) return "public";
  if (schemes.includes("requestSignature")) return "signed";
  return schemes.some((name) => name.startsWith("admin")) ? "admin" : "dashboard";
}
