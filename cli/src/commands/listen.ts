import { createHmac } from "node:crypto";
import type { Event, EventTypePattern } from "@purser/sdk";
import { InvalidArgumentError } from "commander";
import type { Program } from "../command-groups.ts";
import type { Context } from "../context.ts";
import { resolveSchema } from "../operation/table.ts";
import { cleanText } from "../output/human.ts";
import type { Credentials } from "../profiles/credential-store.ts";

/** As long as Purser waits for the server of a webhook. */
const ANSWER_MAX_MS = 10_000;
const SECRET_BYTES = 24;

interface ListenOptions {
  readonly forwardTo?: URL;
  readonly events?: readonly EventTypePattern[];
  readonly printJson?: boolean;
}

/** What the server answered to a forwarded event. */
type Answer = { readonly status: number } | { readonly error: string };

export function listenCommand({ program, run }: Program): void {
  program
    .command("listen")
    .description(
      "Print events as they happen, until Ctrl-C. With --forward-to, send each to a server, signed as a webhook.",
    )
    .option("--forward-to <url>", "Send each event to this URL, for example http://127.0.0.1:3000/webhooks.", urlOf)
    .option("--events <types>", "Only these, with commas: payment.confirmed,agent.*", eventTypesOf)
    .option("--print-json", "Print each event as JSON instead of a line.")
    .action(run((context, values) => listen(context, values)));
}

function eventTypesOf(text: string): readonly EventTypePattern[] {
  const known = resolveSchema({ $ref: "EventTypePattern" }).enum ?? [];
  const types = text.split(",").map((type) => type.trim());
  const unknown = types.find((type) => !known.includes(type));
  if (unknown === undefined) return types as EventTypePattern[];
  throw new InvalidArgumentError(`There is no event type ${unknown}. The pages under /docs/event-types list them.`);
}

function urlOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("It is no http(s) URL.");
  return url;
}

async function listen(context: Context, options: ListenOptions): Promise<void> {
  const { output, signal, terminal } = context;
  output.refuseFile();
  const { events: types = ["*"], forwardTo } = options;
  const secret = secretOf((await context.login()).credentials);
  if (forwardTo !== undefined) sayWhere(context, forwardTo, secret);
  output.note("Waiting for events. Ctrl-C ends.");
  const [type = "*", ...others] = types;
  const isJson = context.options.json ?? !terminal.showsOutput;
  const stream = (await context.client()).events.stream(others.length === 0 ? { type } : {}, { signal });
  for await (const event of stream) {
    if (!types.some((one) => isOfType(event.type, one))) continue;
    const answer = forwardTo && (await forward(event, { url: forwardTo, secret, signal }));
    terminal.out(isJson ? `${JSON.stringify({ event, answer })}\n` : textOf(event, answer, options));
  }
}

function sayWhere({ output, terminal }: Context, url: URL, secret: string): void {
  const shown = terminal.agentProgram === undefined ? secret : "hidden from agents; run the command in a terminal";
  output.note(`Forwarding to ${url.href}. The secret of the signatures: ${shown}`);
}

/** Returns a secret that is the same each time, and from which the key pair cannot be computed. */
function secretOf({ api_secret: apiSecret, private_key: privateKey }: Credentials): string {
  const hash = createHmac("sha256", apiSecret ?? privateKey ?? "")
    .update("purser listen")
    .digest();
  return `whsec_${hash.subarray(0, SECRET_BYTES).toString("base64")}`;
}

function isOfType(type: string, wanted: string): boolean {
  return wanted.endsWith("*") ? type.startsWith(wanted.slice(0, -1)) : type === wanted;
}

/** Sends an event once, with the headers and the body of a webhook. */
async function forward(
  event: Event,
  { url, secret, signal }: { readonly url: URL; readonly secret: string; readonly signal: AbortSignal },
): Promise<Answer> {
  const body = JSON.stringify(event);
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signature = createHmac("sha256", key).update(`${event.id}.${timestamp}.${body}`).digest("base64");
  const headers = {
    "content-type": "application/json",
    "webhook-id": event.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
  const timeout = AbortSignal.timeout(ANSWER_MAX_MS);
  const signals = AbortSignal.any([signal, timeout]);
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal: signals });
    await response.body?.cancel();
    return { status: response.status };
  } catch (error) {
    if (timeout.aborted) return { error: `no answer within ${ANSWER_MAX_MS / 1_000} s` };
    const cause = error instanceof Error ? error.cause : undefined;
    return { error: cause instanceof Error && "code" in cause ? String(cause.code) : "the connection failed" };
  }
}

function textOf(event: Event, answer: Answer | undefined, { printJson = false }: ListenOptions): string {
  const { occurred_at: at, type, subject, id } = event;
  const line = printJson ? JSON.stringify(event) : [at, type, subject.id, id].join("  ");
  if (answer === undefined) return `${cleanText(line)}\n`;
  const outcome = "status" in answer ? `the server answered ${answer.status}` : `not delivered: ${answer.error}`;
  return `${cleanText(line)}\n  ${outcome}\n`;
}
