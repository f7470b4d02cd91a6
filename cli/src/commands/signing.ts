import { randomUUID } from "node:crypto";
import { ed25519RequestKey, hmacRequestKey, type RequestKey } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Program } from "../command-groups.ts";
import type { Context } from "../context.ts";
import { contentOf, jsonOf } from "../operation/request-options.ts";
import type { Credentials } from "../profiles/credential-store.ts";

const PREFIX = "/api/v1/";
const API = "/api/v1/svc";
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function signingCommands({ program, run }: Program): void {
  program
    .command("sign")
    .description("Print the headers of a signed request, or the request for curl. Sends nothing.")
    .argument("<method>")
    .argument("<path>", "With its query: /api/v1/svc/projects?limit=5. The prefix can be left out.")
    .option("--data <bytes>", "The body, exactly as it is sent. @FILE reads a file, - standard input.")
    .option("--data-base64 <text>", "The body in base64.")
    .option("--timestamp <seconds>", "Default: now.")
    .option("--nonce <text>", "Default: a new one.")
    .option("--idempotency-key <uuid>", "The Idempotency-Key that is sent. Ed25519 signatures cover it.")
    .option("--curl", "Print a curl command.")
    .action(
      run(async (context, options, [method = "", path = ""]) => printSignature(context, options, { method, path })),
    );
  program
    .command("api")
    .description("Send a signed request to any path of the API, and print the response.")
    .argument("<method>")
    .argument("<path>", "With its query: /projects?limit=5.")
    .option("--data <json>", "The body as JSON. @FILE reads a file, - standard input.")
    .option("--idempotency-key <uuid>", "Default: a new one.")
    .action(run(async (context, options, [method = "", path = ""]) => callApi(context, options, { method, path })));
}

interface Target {
  readonly method: string;
  readonly path: string;
}

type Values = Readonly<Record<string, unknown>>;

async function printSignature(context: Context, values: Values, target: Target): Promise<void> {
  const { credentials, baseUrl } = await context.login();
  const {
    timestamp = String(Math.floor(Date.now() / 1_000)),
    nonce = randomUUID(),
    idempotencyKey,
  } = values as Record<string, string | undefined>;
  const method = methodOf(target);
  const path = target.path.startsWith(PREFIX) ? target.path : `${API}/${target.path.replace(/^\//, "")}`;
  const body = bodyOf(values);
  const { agentId } = context;
  const signature = await keyOf(credentials).sign({ timestamp, nonce, method, path, body, agentId, idempotencyKey });
  const headers = {
    authorization: credentials.api_key,
    "x-timestamp": timestamp,
    "x-nonce": nonce,
    "x-request-signature": signature,
    ...(agentId !== undefined && { "x-agent-id": agentId }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
    ...(body.length > 0 && { "content-type": "application/json" }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const curl = [
    `curl -sS -X ${method.toUpperCase()} ${quote(`${baseUrl}${path}`)}`,
    ...lines.map((line) => `-H ${quote(line)}`),
    ...(body.length > 0 ? [`--data-binary ${quote(body.toString("utf8"))}`] : []),
  ].join(" \\\n  ");
  const text = values["curl"] === true ? `${curl}\n` : lines.map((line) => `${line}\n`).join("");
  context.output.result({ data: { method: method.toUpperCase(), url: `${baseUrl}${path}`, headers, curl }, text });
}

function bodyOf({ data, dataBase64 }: Values): Buffer {
  if (typeof dataBase64 === "string") return Buffer.from(dataBase64, "base64");
  return Buffer.from(typeof data === "string" ? contentOf(data) : "");
}

function keyOf({ api_secret: secret, private_key: privateKey }: Credentials): RequestKey {
  return privateKey === undefined ? hmacRequestKey(secret ?? "") : ed25519RequestKey(privateKey);
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function methodOf({ method }: Target): (typeof METHODS)[number] {
  const name = METHODS.find((one) => one === method.toUpperCase());
  if (name !== undefined) return name;
  throw new CliError({
    message: `The method must be one of ${METHODS.join(", ")}.`,
    code: "invalid_method",
    exitCode: EXIT_CODES.usage,
  });
}

async function callApi(context: Context, values: Values, target: Target): Promise<void> {
  const { path } = target;
  const name = methodOf(target);
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const { data, idempotencyKey } = values;
  const body = typeof data === "string" ? (jsonOf(contentOf(data)) as object) : undefined;
  const client = await context.client();
  const call = name.toLowerCase() as Lowercase<typeof name>;
  const request = { query: Object.fromEntries(searchParams), ...(body && { body }) };
  const options = { signal: context.signal, idempotencyKey: idempotencyKey as string | undefined };
  context.output.result({ data: await client[call](pathname, request, options) });
}
