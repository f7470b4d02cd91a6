import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  createCallHandler,
  enforceContract,
  type IncomingCall,
  isSimulatorError,
  type SimulatedVendor,
  simulatorError,
} from "./handle-call.ts";
import { bodiesOf, readBody, readForm } from "./read-body.ts";
import type { RequestLog } from "./request-log.ts";
import { requireLoopbackHost } from "./require-loopback-host.ts";
import { type TalliedRequest, tally } from "./tally.ts";
import type { VendorErrors, VendorResponse, VendorRoute } from "./vendor-simulator.ts";

type AnyRequest = FastifyRequest<{ Params: Record<string, string> }>;

/** Builds the vendor's HTTP server: API routes and pages. */
export function buildVendorServer(vendor: SimulatedVendor, log: RequestLog): FastifyInstance {
  const { routes, pages, errors } = vendor.simulator;
  const server = fastify({
    logger: false,
    // The forced outcomes `timeout_applied` and `timeout_lost` leave a connection open. Closing the server must not
    // wait for such a connection.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (_error, _request, reply) => {
      send(reply, errors.notFound());
    },
  });
  server.decorate("displayName", vendor.simulator.displayName);
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    done(null, body);
  });
  requireLoopbackHost(server, (reply) => send(reply, { ...errors.notFound(), status: 421 }));
  server.setErrorHandler((error, _request, reply) => send(reply, responseToError(error, errors)));
  server.setNotFoundHandler<{ Params: Record<string, string> }>((request, reply) => {
    const call = readCall(vendor, request);
    const response = errors.notFound();
    logRequest(vendor, log, call)(response);
    return send(reply, response);
  });
  for (const route of routes) addRoute(server, { vendor, log, route });
  pages?.(server, vendor.context);
  return server;
}

function addRoute(
  server: FastifyInstance,
  { vendor, log, route }: { vendor: SimulatedVendor; log: RequestLog; route: VendorRoute },
): void {
  const handleCall = createCallHandler(route);
  server.route<{ Params: Record<string, string> }>({
    method: route.method,
    url: route.url,
    handler: async (request, reply) => {
      const call = readCall(vendor, request, route);
      const logResponse = logRequest(vendor, log, call);
      const result = await handleCall(vendor, call).catch((error: unknown) =>
        simulatorError({ thrown: String(error) }),
      );
      if (!result) return reply.hijack();
      const response = enforceContract(vendor.contract, route.operation, result);
      logResponse(response);
      return send(reply.headers(vendor.simulator.echoedHeaders?.(call.request) ?? {}), response);
    },
  });
}

function readCall(vendor: SimulatedVendor, request: AnyRequest, route?: VendorRoute): IncomingCall {
  const { method, headers, params } = request;
  const rawBody = typeof request.body === "string" ? request.body : "";
  const [path = "", query = ""] = splitOnce(request.url, "?");
  const bodies = bodiesOf(route?.bodies ?? vendor.simulator.bodies, headers["content-type"]);
  const { body, problems } = readBody(rawBody, headers["content-type"], bodies);
  // The check against the OpenAPI description converts form values in place, so it gets a copy of the body.
  const asSent = { method, path, query, headers, body: structuredClone(body) };
  return {
    request: {
      operation: route?.operation ?? "",
      method,
      path,
      target: request.url,
      params,
      query: readForm(query),
      headers,
      body,
      rawBody,
      caller: undefined,
    },
    isForm: bodies === "form",
    bodyProblems: problems,
    contractProblems: vendor.contract?.checkRequest(asSent) ?? null,
  };
}

/**
 * Logs the request. In a test run, also records whether an adapter's request is valid. Returns a function that logs the
 * response status and, in a test run, records simulator errors.
 */
function logRequest(vendor: SimulatedVendor, log: RequestLog, call: IncomingCall) {
  const { operation, method, path, headers, body } = call.request;
  const problems = call.contractProblems && [...call.bodyProblems, ...call.contractProblems];
  const valid = problems && problems.length === 0;
  const setStatus = log.add({
    operation,
    method,
    path,
    receivedAt: vendor.context.now(),
    headers,
    body,
    valid,
  });
  const count = (mark: TalliedRequest["mark"], detail: unknown) =>
    tally(headers["user-agent"], {
      vendor: vendor.simulator.vendor,
      mark,
      detail: `${method} ${path} ${JSON.stringify(detail)}`,
    });
  if (problems) count(valid ? "valid" : "invalid", problems);
  return (response: VendorResponse) => {
    setStatus(response.status);
    if (isSimulatorError(response)) count("bad-answer", response.body);
  };
}

function responseToError(error: unknown, errors: VendorErrors): VendorResponse {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return status < 500
    ? errors.invalid([{ path: "", message: String(error) }])
    : simulatorError({ thrown: String(error) });
}

function send(reply: FastifyReply, { status, headers, body }: VendorResponse): FastifyReply {
  reply.code(status).headers({ "content-type": "application/json", ...headers });
  if (body === undefined) return reply.send();
  return reply.send(typeof body === "string" ? body : JSON.stringify(body));
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
