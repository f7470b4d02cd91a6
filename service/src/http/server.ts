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
import { isUuid, newRequestId } from "../foundation/ids.ts";
import type { Settings } from "../foundation/settings.ts";
import { pointerToken } from "../foundation/strict-json.ts";
import { admitAdmin } from "./auth/admin-session.ts";
import { authorize, createAuthenticator } from "./auth/authenticate.ts";
import { createFailureLimiter } from "./auth/failure-limiter.ts";
import { recordReplay } from "./auth/record-auth-failure.ts";
import { countHeader, singleHeader } from "./auth/request-headers.ts";
import { checkMediaType, isForm, readBody, readForm } from "./body.ts";
import { answerSpecialRequests, refuseUnreadable } from "./client-error.ts";
import { hasDecimals, preserveDecimals } from "./decimals.ts";
import { closeWhenAnswered } from "./drain.ts";
import { replyWithError } from "./errors.ts";
import { refuseForeignHost } from "./foreign-host.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { describeApi } from "./openapi.ts";
import { createPathMethods, isCanonicalPath, type PathMethods } from "./paths.ts";
import { guardReplay } from "./replay-guard.ts";
import { askForBody, checkRequestHead } from "./request-head.ts";
import { BODY_BYTES_MAX, isCredentialClass, type Route, type Server } from "./route.ts";
import { routes as allRoutes } from "./routes/index.ts";
import { unboundedPlaces } from "./schema-bounds.ts";
import { compileSerializer } from "./serialization.ts";
import { bytesOf, UnsentBytes } from "./unsent-bytes.ts";
import { compileValidator } from "./validation.ts";

const AUTHENTICATION = { pool: "authentication", owner: "" } as const;

export interface ServerOptions {
  /** The proxies whose word on the client's address is taken (CIDR). None: the socket's address is the client's. */
  readonly trustedProxies?: readonly string[];
  /** How long a request may take to arrive whole. */
  readonly requestTimeoutMs?: number;
  /** How long an answer may make no progress before its connection is closed. */
  readonly stallTimeoutMs?: number;
  /** Every route of the service, unless a test wants others. */
  readonly routes?: readonly Route[];
}

/** The HTTP server over `app`, ready to listen or to be called in memory. Refuses to be built with a route that names no credential. */
export async function buildServer(
  app: App,
  {
    trustedProxies = [],
    requestTimeoutMs = 30_000,
    stallTimeoutMs = 10_000,
    routes = allRoutes,
  }: ServerOptions = {},
): Promise<Server> {
  const loggerInstance: FastifyBaseLogger = app.log;
  const server = fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout: requestTimeoutMs,
    http: {
      // Node swaps the two timeouts where this one is longer.
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: requestTimeoutMs / 30,
      // `checkRequestHead` does, and answers with a problem.
      requireHostHeader: false,
    },
    forceCloseConnections: "idle",
    // Longer than any request line that is read, so that an id of whatever length is answered by its own route.
    routerOptions: { maxParamLength: 16_384 },
    genReqId: newRequestId,
    // A child logger for each request would cost it a twentieth, and few requests log anything. Those name themselves.
    childLoggerFactory: (logger) => logger,
    clientErrorHandler: refuseUnreadable,
  }).withTypeProvider<TypeBoxTypeProvider>();
  const pathMethods = createPathMethods();

  decorate(server);
  answerSpecialRequests(server.server);
  closeWhenAnswered(server);
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(compileSerializer);
  server.addHook("onRoute", (route) => checkRoute(route, pathMethods));
  await server.register(cookie);
  await describeApi(server);
  addRequestHooks(server, app, pathMethods);
  addSendHook(server, stallTimeoutMs);
  for (const route of routes) route(server, app);
  await server.ready();
  return server;
}

function decorate(server: Server): void {
  server.decorateRequest("principal", null);
  server.decorateRequest("admin", null);
  server.decorateRequest("rawBody");
  server.decorateRequest("sentContentType");
  server.decorateRequest("mayOnlyReplay", false);
  // A body of whatever type stays bytes until the credential over it has been checked.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    done(null, body);
  });
}

/** Completes a route as it is added, and stops the start over one that does not say who may call it. */
function checkRoute(route: RouteOptions, pathMethods: PathMethods): void {
  const { config, url } = route;
  const methods = [route.method].flat();
  pathMethods.add(url, methods);
  const auth: string | undefined = config?.auth;
  if (!isCredentialClass(auth)) {
    throw new Error(`${methods.join()} ${url} does not name its credential class.`);
  }
  if ((auth === "tenant" || auth === "signed") && config?.scope === undefined) {
    throw new Error(`${methods.join()} ${url} does not name its scope.`);
  }
  route.bodyLimit = BODY_BYTES_MAX[auth];
  if (config?.ignoresUnknownQuery !== true) {
    const nothing = Type.Object({}, { additionalProperties: false });
    route.schema = { ...route.schema, querystring: route.schema?.querystring ?? nothing };
  }
  refuseUnbounded(route);
}

/** Stops the start over a request that may hold more than anything counts. Ids in the path end with the request line. */
function refuseUnbounded({ url, schema }: RouteOptions): void {
  const parts = { body: schema?.body, query: schema?.querystring };
  for (const [part, one] of Object.entries(parts)) {
    const [place] = unboundedPlaces(one ?? {});
    if (place !== undefined) throw new Error(`${url}: its ${part} has no bound at ${place}.`);
  }
}

/** What happens to each request, in the order of contract ruling 4. */
function addRequestHooks(server: Server, app: App, pathMethods: PathMethods): void {
  const authenticate = createAuthenticator(app);
  const failures = createFailureLimiter(app.clock, app.settings);
  server.decorate("countFailure", (address: string) => failures.count(address));

  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { auth } = request.routeOptions.config;
    if (auth === "admin") {
      request.admin = await admitAdmin(app, request);
    } else if (auth !== "public") {
      const principal = await authenticate(auth, request, reply);
      if (principal.mode !== null) reply.header("x-svc-mode", principal.mode);
      authorize(app, request, principal);
      request.principal = principal;
    }
  }

  const headers = securityHeaders(app.settings);
  // With `done` and not as promises where there is nothing to wait for: each promise would cost every request its turns.
  server.addHook("onRequest", (request, reply, done) => {
    reply.headers({ ...headers, "x-request-id": request.id });
    checkRequestHead(request, reply);
    refuseForeignHost(request, app.settings);
    refuseUnknownPath(request, pathMethods, (allow) => reply.header("allow", allow));
    if (app.health.refusal !== null && request.routeOptions.config.page !== true) {
      throw new AppError("service_unavailable", { internal: app.health.refusal });
    }
    askForBody(request, reply);
    // The framework would refuse some content types before anybody has looked at the credential.
    request.sentContentType = request.headers["content-type"];
    if (request.sentContentType !== undefined) {
      request.raw.headers["content-type"] = "application/octet-stream";
    }
    done();
  });

  server.addHook("preValidation", async (request, reply) => {
    request.rawBody = hasUnreadBody(request) ? await readAll(request) : readBodyOf(request);
    if (request.routeOptions.config.page !== true) failures.check(request.ip);
    await withConnectionShare(AUTHENTICATION, () => admit(request, reply));
    checkMediaType(request);
    checkHeaderForms(request);
    request.body = parsedBody(request);
  });

  server.addHook("preHandler", ({ principal, admin }, _reply, done) => {
    const owner = principal?.tenantId ?? admin?.adminId;
    if (owner === undefined) done();
    else withConnectionShare({ pool: "requests", owner }, done);
  });

  if (app.settings.replayGuard === "strict") {
    server.addHook("preHandler", (request) => guardReplay(app, request));
  }

  server.setErrorHandler((thrown: Error, request, reply) => {
    const answer = replyWithError(thrown, request, reply);
    if (reply.statusCode === 401) recordReplay(app, request);
    if (reply.statusCode === 401 || isRefusedPublicBody(request, reply)) failures.count(request.ip);
    return answer;
  });
  if (app.log.isLevelEnabled("debug")) server.addHook("onResponse", logAnswer);
}

/** What every answer carries. */
function securityHeaders({ publicUrl }: Settings): Readonly<Record<string, string>> {
  return {
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    // Not for subdomains: what else runs below this name is not ours.
    ...(publicUrl.startsWith("https:") ? { "strict-transport-security": "max-age=31536000" } : {}),
  };
}

/** Whether anybody could have sent it, and it was parsed for nothing. */
function isRefusedPublicBody(request: FastifyRequest, reply: FastifyReply): boolean {
  const { routeOptions, rawBody } = request;
  return reply.statusCode === 422 && routeOptions.config.auth === "public" && rawBody.length > 0;
}

/** Bounds what readers who do not read may hold. */
function addSendHook(server: Server, stallTimeoutMs: number): void {
  const unsentBytes = new UnsentBytes();
  server.decorate("unsentBytes", unsentBytes);
  server.addHook("onSend", (request, reply, payload, done) => {
    unsentBytes.hold(request, reply, bytesOf(payload));
    // Ends the connection of a reader who takes nothing: Node looks at how much of a write is left. In memory there is no socket.
    reply.raw.socket?.setTimeout?.(stallTimeoutMs);
    done();
  });
}

function logAnswer(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const { id: requestId, method, routeOptions, principal } = request;
  const tenantId = principal?.tenantId;
  const status = reply.statusCode;
  const elapsedMs = Math.round(reply.elapsedTime * 10) / 10;
  const { url: route } = routeOptions;
  request.log.debug({ requestId, method, route, status, elapsedMs, tenantId }, "answered");
  done();
}

/** 404 and 405, before anything is read. */
function refuseUnknownPath(
  request: FastifyRequest,
  pathMethods: PathMethods,
  allow: (methods: string) => void,
): void {
  const target = request.raw.url ?? "";
  if (!isCanonicalPath(target)) throw new AppError("not_found");
  if (!request.is404 && !pathMethods.isShadowing(target, request.method)) return;
  const methods = pathMethods.of(target);
  if (methods.length === 0) throw new AppError("not_found");
  allow(methods.join(", "));
  throw new AppError("method_not_allowed");
}

/** The framework reads no body of a GET; one that is there was signed all the same. */
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

/** Headers of the API that must have their form wherever they are sent (contract, rulings 5 and 7). */
function checkHeaderForms(request: FastifyRequest): void {
  idempotencyKeyOf(request);
  const count = countHeader(request, "x-agent-id");
  if (count > 1 || (count === 1 && !isUuid(singleHeader(request, "x-agent-id")))) {
    throw invalidField("/headers/x-agent-id", "format", "must be one UUID");
  }
}

/** The body as the route's schema will see it. No body is the empty object; a route without a schema takes nothing else. */
function parsedBody(request: FastifyRequest): unknown {
  if (isForm(request)) return readForm(request);
  const schema = request.routeOptions.schema?.body as TSchema | undefined;
  const keepNumberSources = schema !== undefined && hasDecimals(schema);
  const json = readBody(request, { keepNumberSources });
  const value = json === undefined ? {} : json.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw invalidField("/body", "type", "must be an object");
  }
  if (schema === undefined) return refuseFields(value);
  if (json !== undefined && keepNumberSources) preserveDecimals(schema, json);
  return value;
}

function refuseFields(value: object): undefined {
  const [name] = Object.keys(value);
  if (name === undefined) return;
  const detail = "is not a field of this request";
  throw invalidField(`/body/${pointerToken(name)}`, "additionalProperties", detail);
}
