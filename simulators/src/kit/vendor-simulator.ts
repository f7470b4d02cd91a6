import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import type { ObjectStore } from "./object-store.ts";

/** The encoding of request bodies: JSON, or a form with nested names in `qs` format. */
export type VendorBodies = "json" | "form";

/** A simulated vendor. Its routes use the vendor's wire format, and its objects are stored in Postgres. */
export interface VendorSimulator {
  /** For example `neon`. */
  readonly vendor: string;
  /** For example `Neon`. */
  readonly displayName: string;
  /** The file with the vendor's OpenAPI description, for example `pruned/neon.json`. Null if there is no such file. */
  readonly contractFile: string | null;
  /** The path in the description's server URL, for example `/api/v2`, or an empty string. */
  readonly contractPrefix: string;
  /** The default encoding of request bodies. A route can override it. */
  readonly bodies: VendorBodies;
  /**
   * Inputs with a special effect, for example an API key that is always rejected. The control page lists these inputs.
   */
  readonly magicValues: readonly { readonly value: string; readonly effect: string }[];
  readonly errors: VendorErrors;
  /** Returns headers to add to a response of any status. Headers that the response already has take precedence. */
  readonly echoedHeaders?: (request: VendorRequest) => Readonly<Record<string, string>>;
  readonly routes: readonly VendorRoute[];
  /**
   * Adds pages and redirects for users, for example a consent page. They are not part of the API, so they are not
   * checked against the OpenAPI description. Their request bodies are unparsed strings. If a page throws, the response
   * is a 599.
   */
  readonly pages?: (server: FastifyInstance, context: VendorContext) => void;
  /** Creates the vendor's initial objects. It is called on each start, so it must not replace existing objects. */
  readonly prepare?: (context: Pick<VendorContext, "objects">) => Promise<void>;
  /** Ends the work that the simulator does in the background. It is called when the server has closed. */
  readonly close?: () => void;
  /** Undefined if the simulator sends no events. */
  readonly webhooks?: VendorWebhooks;
}

export interface VendorRoute {
  /** The `operationId` in the OpenAPI description, for example `createProject`. Forced outcomes refer to it. */
  readonly operation: string;
  /**
   * The JSON-RPC methods that share the route. Outcomes can be forced for one of them by its name, and for all by
   * `operation`.
   */
  readonly methods?: readonly string[];
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** A Fastify route path including the prefix, for example `/api/v2/projects/:project_id`. */
  readonly url: string;
  /**
   * The schema of the request body. Set `additionalProperties: false` if the vendor rejects unknown fields. Form values
   * are converted to the schema's types before the check, and a missing body is checked as an empty object. Without a
   * schema, the body is checked only against the OpenAPI description.
   */
  readonly body?: TSchema;
  /** The schema of the query. Its values are converted and checked like those of a form. */
  readonly query?: TSchema;
  readonly bodies?: VendorBodies | "json or form";
  /** Returns the `caller` for `handle`, or undefined to respond with the vendor's `unauthorized` error. */
  readonly auth: (request: VendorRequest, context: VendorContext) => Promise<unknown>;
  readonly handle: (request: VendorRequest, context: VendorContext) => Promise<VendorResponse>;
}

/**
 * The request that a route's functions `auth` and `handle` get. `body` and `query` are checked and converted after
 * `auth` and before `handle`.
 */
export interface VendorRequest {
  readonly operation: string;
  readonly method: string;
  /** The path without the query string. */
  readonly path: string;
  /** The path and the query string as they were sent. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the request has no body. */
  readonly body: unknown;
  readonly rawBody: string;
  /** The result of `auth`. Undefined in `auth` itself. */
  readonly caller: unknown;
}

export interface VendorResponse {
  readonly status: number;
  /** A string is sent unchanged. Any other value is sent as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A problem in a request. `path` is for example `project.name`, or empty for the whole body. */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

/** Error responses in the vendor's format. */
export interface VendorErrors {
  unauthorized(): VendorResponse;
  invalid(problems: readonly RequestProblem[]): VendorResponse;
  notFound(): VendorResponse;
  /** The error for a call that the vendor rejects. The call has no effect. */
  refused(): VendorResponse;
  /** The response to a duplicate call. `applied` is the call's normal response. */
  duplicate(applied: VendorResponse): VendorResponse;
  rateLimited(): VendorResponse;
  serverError(): VendorResponse;
}

export interface VendorContext {
  readonly objects: ObjectStore;
  now(): Date;
  /** The simulator's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** Sends a signed event to the Purser server. Rejects if the server did not accept it. */
export type SendWebhook = (webhook: {
  readonly vendor: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}) => Promise<void>;

/** The events that can be sent with `POST /api/events` of the control API. */
export interface VendorWebhooks {
  readonly types: readonly string[];
  /** Sends one event and returns the event's ID. `objectId` is the ID of the object that the event is about. */
  fire(event: { readonly type: string; readonly objectId?: string }, context: VendorContext): Promise<string>;
}
