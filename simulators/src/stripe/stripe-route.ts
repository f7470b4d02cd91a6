import { createHash, randomUUID } from "node:crypto";
import { type Static, type TSchema, Type } from "typebox";
import type { ObjectStore, StoredObject } from "../kit/object-store.ts";
import type {
  VendorAnswer,
  VendorContext,
  VendorRequest,
  VendorRoute,
} from "../kit/vendor-simulator.ts";
import type { Idempotency } from "./idempotency.ts";
import { newRequestId, StripeRefusal, stripeError } from "./stripe-errors.ts";

/** The version that the SDK's types are written for: the account's own, which a request without a version means. */
const API_VERSION = "2026-10-28.endive";

/** The parameter that most objects have. */
export const metadataParam = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
});

/** What every object of ours is kept with: those of the one mode are not there for the other. */
export interface InMode {
  readonly livemode: boolean;
}

/** A request that has passed the door. */
export interface StripeCall<Body = unknown, Query = unknown> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly livemode: boolean;
  readonly now: Date;
  readonly baseUrl: string;
  readonly objects: ObjectStore;
  find<Data extends InMode>(type: string, id: string): Promise<StoredObject<Data> | undefined>;
  /**
   * `cus_` and so many letters and digits: the same ones whenever a request is repeated under its idempotency key. So a
   * repetition finds what was made, even where the process died before the answer could be kept.
   */
  newId(prefix: string, length: number): string;
}

interface StripeRouteDefinition<Body extends TSchema, Query extends TSchema> {
  readonly operation: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly body?: Body;
  readonly query?: Query;
  readonly handle: (call: StripeCall<Static<Body>, Static<Query>>) => Promise<VendorAnswer>;
}

export interface StripeKeys {
  readonly live: string;
  readonly test: string;
}

/** A route that still has to be told the keys. */
export type StripeRoute = (keys: StripeKeys, idempotency: Idempotency) => VendorRoute;

export function stripeRoute<Body extends TSchema, Query extends TSchema>(
  definition: StripeRouteDefinition<Body, Query>,
): StripeRoute {
  const { operation, method, url, body, query, handle } = definition;
  return (keys, idempotency) => ({
    operation,
    method,
    url,
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    auth: async ({ headers }) => modeOf(headers.authorization, keys),
    handle: async (request, context) => {
      const { "stripe-version": version = API_VERSION } = request.headers;
      if (version !== API_VERSION) {
        return stripeError(400, { message: `Invalid Stripe API version: ${String(version)}` });
      }
      return idempotency.answerOnce(request, context, async () => {
        const call = openCall<Static<Body>, Static<Query>>(request, context);
        const answer = await handle(call).catch(answerToRefusal);
        return { ...answer, headers: { "request-id": newRequestId(), ...answer.headers } };
      });
    },
  });
}

/** What Stripe repeats in every answer of what the request said. */
export function echoedHeaders({ method, headers }: VendorRequest): Record<string, string> {
  const { "stripe-version": version = API_VERSION, "idempotency-key": key } = headers;
  return {
    "stripe-version": String(version),
    ...(method === "POST" && typeof key === "string" && { "idempotency-key": key }),
  };
}

function answerToRefusal(error: unknown): VendorAnswer {
  if (error instanceof StripeRefusal) return error.answer;
  throw error;
}

/** Whose key this is: `Bearer KEY`, or `Basic` with the key for a name and no password. */
function modeOf(authorization: string | undefined, keys: StripeKeys): "live" | "test" | undefined {
  const [scheme = "", credentials = ""] = (authorization ?? "").split(" ");
  const key =
    scheme.toLowerCase() === "basic"
      ? Buffer.from(credentials, "base64").toString().replace(/:$/, "")
      : credentials;
  if (key === keys.live) return "live";
  return key === keys.test ? "test" : undefined;
}

function openCall<Body, Query>(
  request: VendorRequest,
  { objects, baseUrl, now }: VendorContext,
): StripeCall<Body, Query> {
  const { path, rawBody, headers } = request;
  const livemode = request.caller === "live";
  const key = headers["idempotency-key"] ?? randomUUID();
  return {
    // The kit has held both against the route's schemas.
    body: request.body as Body,
    query: request.query as Query,
    params: request.params,
    livemode,
    now: now(),
    baseUrl,
    objects,
    find: async <Data extends InMode>(type: string, id: string) => {
      const found = await objects.find<Data>(type, id);
      return found?.data.livemode === livemode ? found : undefined;
    },
    newId: (prefix, length) =>
      `${prefix}${lettersOf([prefix, livemode, key, path, rawBody].join("\n"), length)}`,
  };
}

const LETTERS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function lettersOf(seed: string, length: number): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, length);
  return Array.from(bytes, (byte) => LETTERS.charAt(byte % LETTERS.length)).join("");
}
