import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import type { ObjectStore } from "./object-store.ts";

/** The encoding of bodies: JSON, or a form with nested names as `qs` parses them. */
export type VendorBodies = "json" | "form";

/** A simulated vendor: routes in the vendor's wire format, over objects that are stored in PostgreSQL. */
export interface VendorSimulator {
  /** For example `neon`. */
  readonly vendor: string;
  /** For example `Neon`. */
  readonly displayName: string;
  /** File of the vendor's OpenAPI description, for example `pruned/neon.json`. Null if the vendor publishes none. */
  readonly contractFile: string | null;
  /** The path of the description's server URL, for example `/api/v2`, or empty. */
  readonly contractPrefix: string;
  /** Encoding of most bodies. A route can have another one. */
  readonly bodies: VendorBodies;
  /** Inputs that cause an effect that is rare with a real account. The control page shows them. */
  readonly magicValues: readonly { readonly value: string; readonly effect: string }[];
  readonly errors: VendorErrors;
  /** Returns headers that every response to this request has. The response's own headers take precedence. */
  readonly echoedHeaders?: (request: VendorRequest) => Readonly<Record<string, string>>;
  readonly routes: readonly VendorRoute[];
  /**
   * Adds pages and redirects for users, for example a consent page. They are not part of the API and are not checked
   * against the description. Their bodies are strings, for `readForm`. An exception in them is answered with 599.
   */
  readonly pages?: (server: FastifyInstance, context: VendorContext) => void;
  /** Creates the vendor's initial objects. Called at each start, so it must not replace existing ones. */
  readonly prepare?: (context: Pick<VendorContext, "objects">) => Promise<void>;
  /** Undefined: the simulator sends no events. */
  readonly webhooks?: VendorWebhooks;
}

export interface VendorRoute {
  /** The `operationId` in the description, for example `createProject`. Forced outcomes name it. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** A Fastify route path with the prefix, for example `/api/v2/projects/:project_id`. */
  readonly url: string;
  /**
   * The schema of the request body. Set `additionalProperties: false` if the vendor rejects unknown fields. Form values
   * are converted to the schema's number and boolean types first, and a missing body becomes an empty object. Without a
   * schema, the body is passed on unchanged.
   */
  readonly body?: TSchema;
  /** The schema of the query, with the same rules as `body`. Query values are also converted. */
  readonly query?: TSchema;
  readonly bodies?: VendorBodies | "json or form";
  /** Returns the caller for `handle`. Undefined is answered with the vendor's `unauthorized` error. */
  readonly auth: (request: VendorRequest, context: VendorContext) => Promise<unknown>;
  readonly handle: (request: VendorRequest, context: VendorContext) => Promise<VendorResponse>;
}

/** `body` and `query` are checked and converted in `handle`, but not yet in `auth`. */
export interface VendorRequest {
  readonly operation: string;
  readonly method: string;
  /** The path without the query. */
  readonly path: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Undefined if the request has no body. */
  readonly body: unknown;
  readonly rawBody: string;
  /** The result of `auth`. Undefined during `auth`. */
  readonly caller: unknown;
}

export interface VendorResponse {
  readonly status: number;
  /** A string is sent unchanged, any other value as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One problem of a request. `path` is for example `project.name`, or empty for the whole body. */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

/** Error responses in the vendor's format. */
export interface VendorErrors {
  unauthorized(): VendorResponse;
  invalid(problems: readonly RequestProblem[]): VendorResponse;
  notFound(): VendorResponse;
  /** The vendor refuses the call, which has no effect. */
  refused(): VendorResponse;
  /** The object already exists. `applied` is the normal response, which the caller does not get. */
  duplicate(applied: VendorResponse): VendorResponse;
  rateLimited(): VendorResponse;
  serverError(): VendorResponse;
}

export interface VendorContext {
  /** The objects of this vendor. */
  readonly objects: ObjectStore;
  now(): Date;
  /** The URL of this simulator, without a slash at the end. */
  readonly baseUrl: string;
}

/** Events that `POST /api/events` of the control API sends. */
export interface VendorWebhooks {
  /** Types of events that can be sent. */
  readonly types: readonly string[];
  /** Sends one event about the object, if one is named. Returns the event's id. */
  fire(
    event: { readonly type: string; readonly objectId?: string },
    context: VendorContext,
  ): Promise<string>;
}
