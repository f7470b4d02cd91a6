import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance } from "fastify";
import type { TSchema } from "typebox";
import type { ObjectStore } from "./object-store.ts";

/** How a request's body is written: JSON, or a form with nested names as `qs` reads them. */
export type VendorBodies = "json" | "form";

/** A vendor as the kit plays it: routes that answer in the vendor's own words, over objects that outlive the process. */
export interface VendorSimulator {
  /** `neon`. */
  readonly vendor: string;
  /** `Neon`. */
  readonly displayName: string;
  /** The vendor's description, below the directory of descriptions: `pruned/neon.json`. Null where none is published. */
  readonly contractFile: string | null;
  /** What the description's servers add before its paths: `/api/v2`, or nothing. */
  readonly contractPrefix: string;
  /** What most of its bodies are; a route may say otherwise. */
  readonly bodies: VendorBodies;
  /** Inputs that bring about what a real account only does on a bad day. For the control page. */
  readonly magicValues: readonly { readonly value: string; readonly effect: string }[];
  readonly errors: VendorErrors;
  /** Headers of every answer to this request that the answer does not set itself. */
  readonly echoedHeaders?: (request: VendorRequest) => Readonly<Record<string, string>>;
  readonly routes: readonly VendorRoute[];
  /**
   * Pages and redirects for people, such as the consent page: outside the API, and not held against its description.
   * Their bodies are texts, for `readForm` to read. What they throw is answered as the simulator's own fault.
   */
  readonly pages?: (server: FastifyInstance, context: VendorContext) => void;
  /** Makes what the vendor holds from the beginning, at every start: what is there from an earlier one stays. */
  readonly prepare?: (context: Pick<VendorContext, "objects">) => Promise<void>;
  /** Absent where the vendor sends no events yet. */
  readonly webhooks?: VendorWebhooks;
}

export interface VendorRoute {
  /** Its `operationId` in the description: `createProject`. Forced outcomes name it. */
  readonly operation: string;
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE";
  /** A path of Fastify's, prefix included: `/api/v2/projects/:project_id`. */
  readonly url: string;
  /**
   * Closed, where the vendor refuses unknown fields. A form's texts are first read as the numbers and booleans that the
   * schema wants, and no body as an empty one. Without a schema, a body is passed on as it came.
   */
  readonly body?: TSchema;
  /** As `body`. Texts are read as numbers and booleans here too. */
  readonly query?: TSchema;
  readonly bodies?: VendorBodies | "json or form";
  /** The caller, whom `handle` finds in its request; undefined is answered with the vendor's `unauthorized`. */
  readonly auth: (request: VendorRequest, context: VendorContext) => Promise<unknown>;
  readonly handle: (request: VendorRequest, context: VendorContext) => Promise<VendorAnswer>;
}

/**
 * What a route is given. `body` and `query` have been held against the route's schemas when `handle` sees them, and are
 * as they came when `auth` does.
 */
export interface VendorRequest {
  readonly operation: string;
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** With the query, as it was sent. */
  readonly target: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly headers: IncomingHttpHeaders;
  /** Undefined where there was none. */
  readonly body: unknown;
  readonly rawBody: string;
  /** What `auth` gave; undefined while it runs. */
  readonly caller: unknown;
}

export interface VendorAnswer {
  readonly status: number;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What is wrong with a request, and where: `project.name`, or an empty path for the body as a whole. */
export interface RequestProblem {
  readonly path: string;
  readonly message: string;
}

/** The vendor's own envelopes. */
export interface VendorErrors {
  unauthorized(): VendorAnswer;
  invalid(problems: readonly RequestProblem[]): VendorAnswer;
  notFound(): VendorAnswer;
  /** The vendor will not, and nothing happened. */
  refused(): VendorAnswer;
  /** It is there, or done, already: after `applied`, which the caller does not see as it was. */
  duplicate(applied: VendorAnswer): VendorAnswer;
  rateLimited(): VendorAnswer;
  serverError(): VendorAnswer;
}

export interface VendorContext {
  /** This vendor's objects, and no other's. */
  readonly objects: ObjectStore;
  now(): Date;
  /** Where this simulator listens, without a slash at the end. */
  readonly baseUrl: string;
}

/** What the control API's `POST /api/events` reaches. */
export interface VendorWebhooks {
  /** The types that can be fired. */
  readonly types: readonly string[];
  /** Sends one event of this type, about this object where one is named. The event's id. */
  fire(
    event: { readonly type: string; readonly objectId?: string },
    context: VendorContext,
  ): Promise<string>;
}
