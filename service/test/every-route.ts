import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { newId } from "../src/foundation/ids.ts";
import type { Scope } from "../src/foundation/vocabulary.ts";
import { PREFIX } from "./harness.ts";

/** The committed OpenAPI document, which the server serves. `npm run check:openapi` compares it with the routes. */
export const openapiDocument = JSON.parse(readFileSync(new URL("../../openapi/openapi.json", import.meta.url), "utf8"));

export interface ListedRoute {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path after the API prefix, for example `/projects/{project_id}`. */
  readonly path: string;
  readonly auth: "public" | "dashboard" | "admin" | "signed" | "tenant" | "vendor";
  /** The scope that API keys need, or null if they need none. */
  readonly scope: Scope | null;
  /** The bound keys that can call the route. */
  readonly boundKeys: readonly ("agents" | "projects")[];
}

interface DocumentedOperation {
  readonly security?: readonly object[];
  readonly "x-required-scope"?: Scope;
  readonly "x-bound-keys"?: ListedRoute["boundKeys"];
}

/** A response that does not end. Its own test calls it. */
const STREAM = "/events/stream";

/** Returns every route of the API whose response ends, read from the OpenAPI document. */
export function everyRoute(): ListedRoute[] {
  const paths: Record<string, Record<string, DocumentedOperation>> = openapiDocument.paths;
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security = [], ...operation }]) => ({
        method: method.toUpperCase() as ListedRoute["method"],
        path: path.slice(PREFIX.length),
        auth: classOf(security),
        scope: operation["x-required-scope"] ?? null,
        boundKeys: operation["x-bound-keys"] ?? [],
      })),
    )
    .filter(({ path }) => path !== STREAM);
}

function classOf(security: readonly object[]): ListedRoute["auth"] {
  const names = security.flatMap((one) => Object.keys(one));
  if (names.length === 0) return "public";
  if (names.includes("stripeSignature")) return "vendor";
  if (names.includes("adminToken")) return "admin";
  if (!names.includes("apiKey")) return "dashboard";
  return names.includes("dashboardToken") ? "tenant" : "signed";
}

const ABSENT: Readonly<Record<string, () => string>> = {
  project_id: () => newId("proj"),
  service_id: () => newId("srv"),
  link_id: () => newId("lnk"),
  approval_id: () => newId("apr"),
  kill_switch_id: () => newId("kill"),
  wallet_id: () => newId("wal"),
  payment_id: () => newId("pay"),
  account_id: () => newId("ba"),
  conversion_id: () => newId("conv"),
  operation_id: () => newId("op"),
  policy_id: () => newId("pol"),
  event_id: () => newId("evt"),
  webhook_id: () => newId("wh"),
  key_id: () => newId("key"),
  agent_id: () => randomUUID(),
  session_id: () => newId("ses"),
  developer_id: () => newId("dev"),
  name: () => "ABSENT_VARIABLE",
  provider: () => "helius",
  vendor: () => "stripe",
  version: () => "1",
};

/** Replaces each path parameter with its value in `ids`, or with the ID of an object that does not exist. */
export function pathOf({ path }: Pick<ListedRoute, "path">, ids: Readonly<Record<string, string>> = {}): string {
  return path.replaceAll(/\{(\w+)\}/g, (_place, name: string) => {
    const id = ids[name] ?? ABSENT[name]?.();
    if (id === undefined) throw new Error(`every-route.ts has no id for {${name}}.`);
    return id;
  });
}
