import { createHash, randomUUID } from "node:crypto";
import { type Static, type TSchema, Type } from "typebox";
import type { Idempotency } from "../kit/idempotency.ts";
import type { ObjectStore, StoredObject } from "../kit/object-store.ts";
import type { VendorContext, VendorRequest, VendorResponse, VendorRoute } from "../kit/vendor-simulator.ts";
import type { StripeEvents, StripeEventType } from "./event-types.ts";
import { newRequestId, StripeApiError, stripeError } from "./stripe-errors.ts";

/**
 * The only API version that the simulator accepts: the version of the Stripe SDK's types. It also applies to requests
 * without a `Stripe-Version` header.
 */
const API_VERSION = "2026-10-28.endive";

/** Schema of the `metadata` parameter, which most objects have. */
export const metadataParam = Type.Record(Type.String(), Type.String({ maxLength: 500 }), {
  maxProperties: 50,
});

/**
 * The mode in which an object was created. It is part of every object's data, and requests in the other mode cannot
 * access the object.
 */
export interface InMode {
  readonly livemode: boolean;
}

/** A request that was authenticated and validated. */
export interface StripeCall<Body = unknown, Query = unknown> {
  readonly body: Body;
  readonly query: Query;
  readonly params: Readonly<Record<string, string>>;
  readonly livemode: boolean;
  readonly now: Date;
  readonly baseUrl: string;
  readonly objects: ObjectStore;
  /** Sends an event about an object that the request has changed. */
  emit(type: StripeEventType, objectId: string): Promise<void>;
  find<Data extends InMode>(type: string, id: string): Promise<StoredObject<Data> | undefined>;
  /**
   * Returns a new ID: the prefix and a hash of the request and its idempotency key. A retried request therefore creates
   * the same object, even if the process was killed before it stored the response.
   */
  newId(prefix: string, length: number): string;
}

interface StripeRouteDefinition<Body extends TSchema, Query extends TSchema> {
  readonly operation: string;
  readonly method: "GET" | "POST" | "DELETE";
  readonly url: string;
  readonly body?: Body;
  readonly query?: Query;
  /** Whether browsers call it, with any publishable key. */
  readonly isPublic?: true;
  readonly handle: (call: StripeCall<Static<Body>, Static<Query>>) => Promise<VendorResponse>;
}

export interface StripeKeys {
  readonly live: string;
  readonly test: string;
}

/** Creates a route that accepts these API keys. */
export type StripeRoute = (keys: StripeKeys, idempotency: Idempotency, events: StripeEvents) => VendorRoute;

export function stripeRoute<Body extends TSchema, Query extends TSchema>(
  definition: StripeRouteDefinition<Body, Query>,
): StripeRoute {
  const { operation, method, url, body, query, isPublic = false, handle } = definition;
  return (keys, idempotency, events) => ({
    operation,
    method,
    url,
    ...(body === undefined ? {} : { body }),
    ...(query === undefined ? {} : { query }),
    auth: async ({ headers: { authorization = "" } }) =>
      isPublic ? /^Bearer pk_(live|test)_\w+$/.exec(authorization)?.[1] : modeOf(authorization, keys),
    handle: async (request, context) => {
      const { "stripe-version": version = API_VERSION } = request.headers;
      if (version !== API_VERSION) {
        return stripeError(400, { message: `Invalid Stripe API version: ${String(version)}` });
      }
      return idempotency.runOnce(request, context, async () => {
        const call = openCall<Static<Body>, Static<Query>>(request, context, events);
        const response = await handle(call).catch(errorResponse);
        return { ...response, headers: { "request-id": newRequestId(), ...response.headers } };
      });
    },
  });
}

/** Returns the request headers that Stripe repeats in the response. */
export function echoedHeaders({ method, headers }: VendorRequest): Record<string, string> {
  const { "stripe-version": version = API_VERSION, "idempotency-key": key } = headers;
  return {
    "stripe-version": String(version),
    ...(method === "POST" && typeof key === "string" && { "idempotency-key": key }),
  };
}

function errorResponse(error: unknown): VendorResponse {
  if (error instanceof StripeApiError) return error.response;
  throw error;
}

/**
 * Returns the mode of the API key, live or test. The key is sent as `Bearer KEY`, or as the user name in `Basic` with
 * an empty password.
 */
function modeOf(authorization: string | undefined, keys: StripeKeys): "live" | "test" | undefined {
  const [scheme = "", credentials = ""] = (authorization ?? "").split(" ");
  const key =
    scheme.toLowerCase() === "basic" ? Buffer.from(credentials, "base64").toString().replace(/:$/, "") : credentials;
  if (key === keys.live) return "live";
  return key === keys.test ? "test" : undefined;
}

function openCall<Body, Query>(
  request: VendorRequest,
  context: VendorContext,
  events: StripeEvents,
): StripeCall<Body, Query> {
  const { objects, baseUrl, now } = context;
  const { path, rawBody, headers } = request;
  const livemode = request.caller === "live";
  const key = headers["idempotency-key"] ?? randomUUID();
  return {
    // The body and the query were validated against the route's schemas before `handle` was called.
    body: request.body as Body,
    query: request.query as Query,
    params: request.params,
    livemode,
    now: now(),
    baseUrl,
    objects,
    emit: async (type, objectId) => {
      await events.emit(context, type, objectId);
    },
    find: async <Data extends InMode>(type: string, id: string) => {
      const found = await objects.find<Data>(type, id);
      return found?.data.livemode === livemode ? found : undefined;
    },
    newId: (prefix, length) => `${prefix}${idCharacters([prefix, livemode, key, path, rawBody].join("\n"), length)}`,
  };
}

const ID_ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function idCharacters(seed: string, length: number): string {
  const bytes = createHash("sha256").update(seed).digest().subarray(0, length);
  return Array.from(bytes, (byte) => ID_ALPHABET.charAt(byte % ID_ALPHABET.length)).join("");
}
