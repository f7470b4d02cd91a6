import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import {
  callAnswerer,
  heldToContract,
  type IncomingCall,
  isSimulatorError,
  type SimulatedVendor,
  simulatorError,
} from "./answer-call.ts";
import { answerLoopbackOnly } from "./loopback-only.ts";
import { bodiesOf, readBody, readForm } from "./read-body.ts";
import type { RequestLog } from "./request-log.ts";
import { type TalliedRequest, tally } from "./tally.ts";
import type { VendorAnswer, VendorErrors, VendorRoute } from "./vendor-simulator.ts";

type AnyRequest = FastifyRequest<{ Params: Record<string, string> }>;

/** The vendor's HTTP interface: its routes in its own words, and whatever pages it has for people. */
export function buildVendorServer(vendor: SimulatedVendor, log: RequestLog): FastifyInstance {
  const { routes, pages, errors } = vendor.simulator;
  const server = fastify({
    logger: false,
    // Clients that were left without an answer would keep the server open.
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: 500 },
    frameworkErrors: (_error, _request, reply) => {
      send(reply, errors.notFound());
    },
  });
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    done(null, body);
  });
  answerLoopbackOnly(server, (reply) => send(reply, { ...errors.notFound(), status: 421 }));
  server.setErrorHandler((error, _request, reply) => send(reply, answerToError(error, errors)));
  server.setNotFoundHandler<{ Params: Record<string, string> }>((request, reply) => {
    const call = readCall(vendor, request);
    const answer = errors.notFound();
    note(vendor, log, call)(answer);
    return send(reply, answer);
  });
  for (const route of routes) addRoute(server, { vendor, log, route });
  pages?.(server, vendor.context);
  return server;
}

function addRoute(
  server: FastifyInstance,
  { vendor, log, route }: { vendor: SimulatedVendor; log: RequestLog; route: VendorRoute },
): void {
  const answerCall = callAnswerer(route);
  server.route<{ Params: Record<string, string> }>({
    method: route.method,
    url: route.url,
    handler: async (request, reply) => {
      const call = readCall(vendor, request, route);
      const noteAnswer = note(vendor, log, call);
      const given = await answerCall(vendor, call).catch((error: unknown) =>
        simulatorError({ thrown: String(error) }),
      );
      if (!given) return reply.hijack();
      const answer = heldToContract(vendor.contract, route.operation, given);
      noteAnswer(answer);
      return send(reply.headers(vendor.simulator.echoedHeaders?.(call.request) ?? {}), answer);
    },
  });
}

function readCall(vendor: SimulatedVendor, request: AnyRequest, route?: VendorRoute): IncomingCall {
  const { method, headers, params } = request;
  const rawBody = typeof request.body === "string" ? request.body : "";
  const [path = "", query = ""] = splitOnce(request.url, "?");
  const bodies = bodiesOf(route?.bodies ?? vendor.simulator.bodies, headers["content-type"]);
  const { body, problems } = readBody(rawBody, headers["content-type"], bodies);
  // Checking reads a form's texts as other values, in place.
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
    unreadable: problems,
    againstContract: vendor.contract?.checkRequest(asSent) ?? null,
  };
}

/** Writes down that the request came, and then what it was answered with. */
function note(vendor: SimulatedVendor, log: RequestLog, call: IncomingCall) {
  const { operation, method, path, headers, body } = call.request;
  const problems = call.againstContract && [...call.unreadable, ...call.againstContract];
  const valid = problems && problems.length === 0;
  const answered = log.add({
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
  return (answer: VendorAnswer) => {
    answered(answer.status);
    if (isSimulatorError(answer)) count("bad-answer", answer.body);
  };
}

function answerToError(error: unknown, errors: VendorErrors): VendorAnswer {
  const status = error instanceof Error && "statusCode" in error ? Number(error.statusCode) : 500;
  return status < 500
    ? errors.invalid([{ path: "", message: String(error) }])
    : simulatorError({ thrown: String(error) });
}

function send(reply: FastifyReply, { status, headers, body }: VendorAnswer): FastifyReply {
  reply.code(status).headers({ "content-type": "application/json", ...headers });
  if (body === undefined) return reply.send();
  return reply.send(typeof body === "string" ? body : JSON.stringify(body));
}

function splitOnce(text: string, separator: string): string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
