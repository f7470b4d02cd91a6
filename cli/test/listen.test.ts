import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Purser } from "@purser/sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "./run-cli.ts";

const KEYS = { PURSER_API_KEY: "svc_sk_test_k", PURSER_API_SECRET: "svc_ss_test_s" };
const eventOf = (id: string, type: string) => ({
  ...{ object: "event", id, type, subject: { type: "payment", id: "pay_1" } },
  ...{ occurred_at: "2026-11-21T12:00:00.000Z", data: { object: { note: "ü" } } },
});
const PAID = eventOf("evt_1", "payment.confirmed");
const CREATED = eventOf("evt_2", "agent.created");

interface Received {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

async function serve(answer: (request: Received) => { status: number; body?: string }) {
  const received: Received[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const headers = incoming.headers as Record<string, string>;
    const request = { url: incoming.url ?? "", headers, body: Buffer.concat(chunks).toString() };
    received.push(request);
    const { status, body = "" } = answer(request);
    const type = status === 200 ? "text/event-stream" : "application/problem+json";
    response.writeHead(status, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** An API that sends two events, and then refuses the key, which ends the command. */
function serveApi() {
  const text = [PAID, CREATED].map((event) => `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  const body = JSON.stringify({ code: "insufficient_scope", detail: "No.", status: 403, retryable: false });
  return serve(({ headers }) => (headers["last-event-id"] ? { status: 403, body } : { status: 200, body: text }));
}

async function listen(words: readonly string[], terminal: object = {}) {
  const api = await serveApi();
  const environment = { ...KEYS, PURSER_BASE_URL: api.url };
  const place = { environment, terminal: { showsOutput: true, ...terminal } };
  const { exitCode, stdout, stderr } = await runCli(["listen", ...words], place);
  return { exitCode, stdout, stderr, api };
}

const secretIn = (text: string) => /whsec_\S+/.exec(text)?.[0] ?? "";

describe("purser listen", () => {
  it("prints a line for each event, connects again, and ends when the key is refused", async () => {
    const { exitCode, stdout, api } = await listen([]);

    expect(stdout).toBe(
      "2026-11-21T12:00:00.000Z  payment.confirmed  pay_1  evt_1\n2026-11-21T12:00:00.000Z  agent.created  pay_1  evt_2\n",
    );
    expect(api.received.map(({ headers }) => headers["last-event-id"])).toEqual([undefined, "evt_2"]);
    expect(exitCode).toBe(4);
  });

  it("prints only the events that are asked for, as JSON", async () => {
    const { stdout, api } = await listen(["--events", "agent.created,charge.*", "--print-json"]);
    expect(JSON.parse(stdout)).toEqual(CREATED);
    expect(api.received[0]?.url).toBe("/api/v1/svc/events/stream");

    const one = await listen(["--events", "payment.*"]);
    expect(one.stdout).toContain("evt_1");
    expect(one.api.received[0]?.url).toBe("/api/v1/svc/events/stream?type=payment.*");
  });

  it("refuses an event type that does not exist, with exit code 2", async () => {
    const { exitCode, stderr, api } = await listen(["--events", "payment.confirmed, payment.confirmd"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("There is no event type payment.confirmd.");
    expect(api.received).toEqual([]);
  });

  it("forwards each event as a webhook, with a secret that stays the same, and says what the server answered", async () => {
    const app = await serve(({ body }) => ({ status: body.includes("agent") ? 500 : 204 }));
    const first = await listen(["--forward-to", `${app.url}/hooks`]);
    const second = await listen(["--forward-to", app.url]);

    const secret = secretIn(first.stderr);
    expect(secretIn(second.stderr)).toBe(secret);
    const [{ url, headers, body } = { url: "", headers: {}, body: "" }] = app.received;
    const purser = new Purser({ baseUrl: app.url, apiKey: "", apiSecret: "" });
    expect(await purser.webhooks.unwrap(body, headers, secret)).toEqual(PAID);
    expect([url, body]).toEqual(["/hooks", JSON.stringify(PAID)]);
    expect(first.stdout).toContain("evt_1\n  the server answered 204\n");
    expect(first.stdout).toContain("evt_2\n  the server answered 500\n");
  });

  it("goes on when nothing answers, and prints one object a line with --json", async () => {
    const closed = createServer().listen(0, "127.0.0.1");
    await once(closed, "listening");
    const { port } = closed.address() as AddressInfo;
    await once(closed.close(), "close");
    const { stdout } = await listen(["--forward-to", `http://127.0.0.1:${port}/`, "--json"]);
    const [first = "", second = ""] = stdout.split("\n");

    const answer = { error: "ECONNREFUSED" };
    expect([first, second].map((line) => JSON.parse(line))).toEqual([
      { event: PAID, answer },
      { event: CREATED, answer },
    ]);
  });

  it("does not show the secret to an agent's program", async () => {
    const { stderr } = await listen(["--forward-to", "http://127.0.0.1:1/"], { agentProgram: "Claude Code" });

    expect(stderr).not.toContain("whsec_");
    expect(stderr).toContain("hidden from agents");
  });

  it("refuses a URL that is not http(s)", async () => {
    expect((await runCli(["listen", "--forward-to", "ftp://example.com"])).exitCode).toBe(2);
  });
});
