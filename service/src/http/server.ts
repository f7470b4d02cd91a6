import cookie from "@fastify/cookie";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from "fastify";
import { type TSchema, Type } from "typebox";
import type { App } from "../app.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { AppError, invalidField } from "../foundation/errors.ts";
import { isUuid, newId } from "../foundation/ids.ts";
import type { Settings } from "../foundation/settings.ts";
import { pointerToken } from "../foundation/strict-json.ts";
import {
  authenticateAdmin,
  authorize,
  createAuthenticator,
  requireKyb,
  verifyVendorWebhook,
} from "./auth/authenticate.ts";
import { createFailureLimiter } from "./auth/failure-limiter.ts";
import { countHeader, singleHeader } from "./auth/request-headers.ts";
import { checkMediaType, isForm, readBody, readForm } from "./body.ts";
import { handleClientError, handleSpecialRequests } from "./client-error.ts";
import { hasDecimals, preserveDecimals } from "./decimals.ts";
import { drainOnClose } from "./drain.ts";
import { replyWithError } from "./errors.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { loggedRequestOf } from "./logged-request.ts";
import { noteAnswered, noteReceived, traceRequests } from "./observe-requests.ts";
import { createPathMethods, isCanonicalPath, type PathMethods } from "./paths.ts";
import { guardReplay, isReplayGuarded } from "./replay-guard.ts";
import { checkHostName, checkRequestHead, normalizeForwardedFor, sendContinue } from "./request-head.ts";
import { BODY_BYTES_MAX, isCredentialClass, type Route, type Server } from "./route.ts";
import { allRoutes } from "./routes/manifest.ts";
import { isPageVisit, sendMissingPage } from "./routes/pages/missing-page.ts";
import { findUnboundedValues } from "./schema-bounds.ts";
import { compileSerializer } from "./serialization.ts";
import { bytesOf, EVENT_STREAM_BYTES, UnsentBytes } from "./unsent-bytes.ts";
import { compileValidator } from "./validation.ts";

const AUTHENTICATION = { pool: "authentication", owner: "" } as const;

export interface ServerOptions {
  /**
   * Proxies (CIDR) whose `X-Forwarded-For` header is trusted. Default: none, so the client's address is the socket's.
   */
  readonly trustedProxies?: readonly string[];
  /** Maximum time to receive a complete request. */
  readonly requestTimeoutMs?: number;
  /** Maximum time without progress while a response is sent, after which the connection is closed. */
  readonly stallTimeoutMs?: number;
  /** Default: all routes. */
  readonly routes?: readonly Route[];
}

/** Builds the HTTP server, ready for `listen` or `inject`. Throws if a route is misconfigured. */
export async function buildServer(
  app: App,
  { trustedProxies = [], requestTimeoutMs = 30_000, stallTimeoutMs = 10_000, routes = allRoutes }: ServerOptions = {},
): Promise<Server> {
  const loggerInstance: FastifyBaseLogger = app.log;
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout: requestTimeoutMs,
    http: {
      // `headersTimeout` must not be longer than `requestTimeout`. Otherwise Node would swap the two values.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 30,
      // Node would respond to a missing Host header without a body, so `checkRequestHead` checks for the header
      // instead.
      requireHostHeader: false,
    },
    forceCloseConnections: "idle",
    // This limit is longer than any request line. A request with an overlong id therefore reaches its route, which
    // responds with a 404.
    routerOptions: { maxParamLength: 16_384 },
    genReqId: () => newId("req"),
    // Creating a child logger for each request costs about 5% of the throughput. Log calls include the request id
    // instead.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: handleClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();
  const pathMethods = createPathMethods();

  decorate(server);
  handleSpecialRequests(server.server);
  drainOnClose(server);
  // A server that stops answers waiting requests immediately, and ends streams.
  server.addHook("preClose", async () => {
    app.waitingCallers.close();
    app.eventFeed.close();
  });
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(compileSerializer);
  server.addHook("onRoute", (route) => checkRoute(route, pathMethods));
  await server.register(cookie);
  traceRequests(server);
  addRequestHooks(server, app, pathMethods);
  addSendHook(server, app, stallTimeoutMs);
  for (const route of routes) route(server, app);
  await server.ready();
  return server;
}

function decorate(server: Server): void {
  server.decorateRequest("principal", null);
  server.decorateRequest("authenticated", null);
  server.decorateRequest("admin", null);
  server.decorateRequest("vendorEvent", null);
  server.decorateRequest("rawBody");
  server.decorateRequest("sentContentType");
  server.decorateRequest("mayOnlyReplay", false);
  server.decorateRequest("isMoneyRequest", false);
  server.decorateRequest("receivedAtMs", 0);
  server.decorateRequest("errorCode", null);
  server.decorateRequest("traced", null);
  // The body remains raw bytes until its signature is verified.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
}

/**
 * Sets the body limit and the default query schema of a new route. Throws if the route has no credential class, if a
 * required scope is missing, if the route does not declare that it moves money or what a repeated signature can do, or if a
 * value has no size limit.
 */
function checkRoute(route: RouteOptions, pathMethods: PathMethods): void {
  const { config, url } = route;
  const methods = [route.method].flat();
  pathMethods.add(url, methods);
  const auth: string | undefined = config?.auth;
  if (!isCredentialClass(auth)) {
    throw new Error(`${methods.join()} ${url} has no credential class.`);
  }
  if ((auth === "tenant" || auth === "signed") && config?.scope === undefined) {
    throw new Error(`${methods.join()} ${url} has no scope.`);
  }
  if (auth === "tenant" || auth === "signed") checkRepetition(route, methods);
  route.bodyLimit = BODY_BYTES_MAX[auth];
  if (config?.ignoresUnknownQuery !== true) {
    const noParameters = Type.Object({}, { additionalProperties: false });
    route.schema = { ...route.schema, querystring: route.schema?.querystring ?? noParameters };
  }
  checkBounds(route);
}

/** Throws if a route for signed requests does not declare what a repeated signature can do. */
function checkRepetition({ config, url }: RouteOptions, methods: readonly string[]): void {
  if (config?.movesMoney === true) return;
  const maySpend = config?.auth === "signed" && methods.includes("POST");
  if (maySpend && !url.endsWith("/simulate")) {
    throw new Error(`${methods.join()} ${url} does not declare that it moves money.`);
  }
  if (methods.join() !== "GET" && config?.replayGuard === undefined) {
    throw new Error(`${methods.join()} ${url} does not declare its replay guard.`);
  }
}

/**
 * Throws if the body or query schema has a value without a size limit. Path parameters are not checked, because the
 * length of the request line is limited.
 */
function checkBounds({ url, schema }: RouteOptions): void {
  const parts = { body: schema?.body, query: schema?.querystring };
  for (const [part, partSchema] of Object.entries(parts)) {
    const [problem] = findUnboundedValues(partSchema ?? {});
    if (problem !== undefined) throw new Error(`${url}: unlimited ${part} at ${problem}.`);
  }
}

/** Adds the checks that every request must pass, in the order of docs/rules/requests.md. */
function addRequestHooks(server: Server, app: App, pathMethods: PathMethods): void {
  const authenticate = createAuthenticator(app);
  const failures = createFailureLimiter(app.clock, app.settings);
  server.decorate("countFailure", (address: string) => failures.count(address));

  async function checkCredential(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { auth } = request.routeOptions.config;
    if (auth === "admin") {
      request.admin = await authenticateAdmin(app, request);
    } else if (auth === "vendor") {
      request.vendorEvent = await verifyVendorWebhook(app, request);
    } else if (auth !== "public") {
      const principal = await authenticate(auth, request, reply);
      if (principal.mode !== null) reply.header("x-svc-mode", principal.mode);
      authorize(app, request, principal);
      await requireKyb(app, request, principal);
      request.principal = principal;
    }
  }

  const headers = securityHeaders(app.settings);
  // Synchronous hooks use `done`, because awaiting a promise would add overhead to every request.
  server.addHook("onRequest", (request, reply, done) => {
    noteReceived(request);
    reply.headers({ ...headers, "x-request-id": request.id });
    normalizeForwardedFor(request);
    checkClientIsThere(request);
    checkRequestHead(request, reply);
    checkHostName(request, app.settings);
    checkPath(request, pathMethods, (allow) => reply.header("allow", allow));
    if (app.health.refusal !== null && request.routeOptions.config.page !== true) {
      throw new AppError("service_unavailable", { internal: app.health.refusal });
    }
    sendContinue(request, reply);
    // The content type is replaced, because Fastify would reject some types before the credential is checked.
    request.sentContentType = request.headers["content-type"];
    if (request.sentContentType !== undefined) {
      request.raw.headers["content-type"] = "application/octet-stream";
    }
    done();
  });

  server.addHook("preValidation", async (request, reply) => {
    request.rawBody = hasUnreadBody(request) ? await readAll(request) : readBodyOf(request);
    if (request.routeOptions.config.page !== true) failures.check(request.ip);
    await withConnectionShare(AUTHENTICATION, () => checkCredential(request, reply));
    checkMediaType(request);
    checkHeaderForms(request);
    request.body = parsedBody(request);
  });

  server.addHook("preHandler", ({ principal, admin }, _reply, done) => {
    const owner = principal?.tenantId ?? admin?.adminId;
    if (owner === undefined) done();
    else withConnectionShare({ pool: "requests", owner }, done);
  });

  server.addHook("preHandler", (request, _reply, done) => {
    if (isReplayGuarded(app, request)) guardReplay(app, request).then(() => done(), done);
    else done();
  });

  server.setErrorHandler((thrown: Error, request, reply) => {
    const isMissing = thrown instanceof AppError && thrown.code === "not_found";
    if (isMissing && isPageVisit(request)) return sendMissingPage(request, reply);
    const sent = replyWithError(thrown, request, reply);
    if (reply.statusCode === 401 || isRejectedPublicBody(request, reply)) failures.count(request.ip);
    return sent;
  });
  if (app.log.isLevelEnabled("debug")) server.addHook("onResponse", logResponse);
}

/**
 * Throws if the client has reset the connection already: its address is then unknown. Node keeps an address that was read
 * once, so it stays known for the rest of the request.
 */
function checkClientIsThere({ ip }: { readonly ip: string | undefined }): void {
  if (ip === undefined) {
    throw new AppError("bad_request", { internal: "the client closed the connection" });
  }
}

/** Returns the headers that every response has. */
function securityHeaders({ publicUrl }: Settings): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    // Omits `includeSubDomains`, because other services may run on subdomains.
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/**
 * Returns true if a public route rejected the body. Such requests count against the rate limit of the client's network
 * (docs/rules/rate-limits.md).
 */
function isRejectedPublicBody(request: FastifyRequest, reply: FastifyReply): boolean {
  const { routeOptions, rawBody } = request;
  return reply.statusCode === 422 && routeOptions.config.auth === "public" && rawBody.length > 0;
}

/**
 * Rejects wrong responses of money routes. Limits the memory that responses use when clients do not read them. Notes requests
 * with API keys for the request log, and counts all: here, because the first `onResponse` hook would make every request slower.
 */
function addSendHook(server: Server, { requestLog, clock }: App, stallTimeoutMs: number): void {
  const unsentBytes = new UnsentBytes();
  server.decorate("unsentBytes", unsentBytes);
  server.addHook("onSend", (request, reply, payload, done) => {
    const { movesMoney, isEventStream } = request.routeOptions.config;
    if (movesMoney === true && !request.isMoneyRequest && reply.statusCode < 400) {
      throw new Error("a route that moves money replied without replyToMoneyRequest");
    }
    unsentBytes.hold(request, reply, isEventStream === true ? EVENT_STREAM_BYTES : bytesOf(payload));
    // Closes the connection if the client stops reading. Requests made with `inject` have no socket.
    reply.raw.socket?.setTimeout?.(stallTimeoutMs);
    noteAnswered(request, reply);
    if (request.authenticated !== null)
      requestLog.note(loggedRequestOf(request, reply, payload, clock.now().getTime()));
    done();
  });
}

function logResponse(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { id: requestId, method, routeOptions, principal } = request;
  const tenantId = principal?.tenantId;
  const status = reply.statusCode;
  const elapsedMs = Math.round(reply.elapsedTime * 10) / 10;
  const { url: route } = routeOptions;
  request.log.debug({ requestId, method, route, status, elapsedMs, tenantId }, "request completed");
  done();
}

/** Throws `not_found` or `method_not_allowed` if no route matches the request. */
function checkPath(request: FastifyRequest, pathMethods: PathMethods, allow: (methods: string) => void): void {
  const target = request.raw.url ?? "";
  if (!isCanonicalPath(target)) throw new AppError("not_found");
  if (!request.is404 && !pathMethods.isShadowing(target, request.method)) return;
  const methods = pathMethods.of(target);
  if (methods.length === 0) throw new AppError("not_found");
  allow(methods.join(", "));
  throw new AppError("method_not_allowed");
}

/** Returns true if Fastify has not read the request's body, as on a GET. The signature covers this body too. */
function hasUnreadBody({ body, headers }: FastifyRequest): boolean {
  if (body !== undefined) return false;
  return Number(headers["content-length"] ?? 0) > 0 || "transfer-encoding" in headers;
}

const NO_BODY = Buffer.alloc(0);

function readBodyOf({ body }: FastifyRequest): Buffer {
  return Buffer.isBuffer(body) ? body : NO_BODY;
}

async function readAll({ raw, headers, routeOptions }: FastifyRequest): Promise<Buffer> {
  const bytesMax = BODY_BYTES_MAX[routeOptions.config.auth];
  if (Number(headers["content-length"] ?? 0) > bytesMax) throw new AppError("payload_too_large");
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of raw) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new AppError("payload_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Checks the format of `Idempotency-Key` and `X-Agent-ID` on every route (docs/rules/idempotency.md and
 * docs/rules/scopes.md).
 */
function checkHeaderForms(request: FastifyRequest): void {
  idempotencyKeyOf(request);
  const count = countHeader(request, "x-agent-id");
  if (count > 1 || (count === 1 && !isUuid(singleHeader(request, "x-agent-id")))) {
    throw invalidField("/headers/x-agent-id", "format", "must be a single UUID");
  }
}

/**
 * Parses the body for the route's schema. An empty body becomes `{}`, the only value that a route without a schema
 * accepts.
 */
function parsedBody(request: FastifyRequest): unknown {
  // `checkCredential` has parsed it.
  if (request.routeOptions.config.auth === "vendor") return undefined;
  if (isForm(request)) return readForm(request);
  const schema = request.routeOptions.schema?.body as TSchema | undefined;
  const keepNumberSources = schema !== undefined && hasDecimals(schema);
  const json = readBody(request, { keepNumberSources });
  const value = json === undefined ? {} : json.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField("/body", "type", "must be an object");
  }
  if (schema === undefined) return rejectFields(value);
  if (json?.hasNumberSources === true) preserveDecimals(schema, json);
  return value;
}

function rejectFields(value: object): undefined {
  const [name] = Object.keys(value);
  if (name === undefined) return;
  const detail = "is not a field of this request";
  throw invalidField(`/body/${pointerToken(name)}`, "additionalProperties", detail);
}
