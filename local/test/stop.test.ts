import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { signingKey, signRequest } from "@purser/sdk";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { processesOf } from "../../embedded-postgres/test/folder-processes.ts";
import { launch, type Started, start, untilNothingRuns, useLocalLab } from "./local-lab.ts";

const lab = useLocalLab(afterEach);

describe("stopping npm start", () => {
  it("takes signals that come together as one wish: answers the request under way, then stops everything with code 0, though nobody reads what it prints", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir);
    const request = await beginRequest(purser);
    purser.child.stdout?.destroy();
    purser.child.stderr?.destroy();

    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) purser.signal(name);
    await untilRefusesConnections(purser.line.base_url);
    request.finish();

    expect(await request.answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await purser.ended).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
    await untilRefusesConnections(purser.line.mailbox_url);
  });

  it("stops in its own time under npm too when the terminal's Ctrl-C reaches all of them", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir, { through: "npm" });
    const request = await beginRequest(purser);

    purser.signalGroup("SIGINT");
    await untilRefusesConnections(purser.line.base_url);
    request.finish();

    expect(await request.answer).toMatch(/^HTTP\/1\.1 201 /);
    // What npm and its shell make of a Ctrl-C is theirs; what they leave behind is not.
    await purser.ended;
    await untilNothingRuns(dataDir);
  });

  it("stops everything when npm alone is told to", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir, { through: "npm" });

    purser.signal("SIGTERM");

    await purser.ended;
    await untilNothingRuns(dataDir);
    expect(purser.stderr()).toContain("Purser stops: requests under way end first.");
  });

  it("ends at once with code 130 on a second Ctrl-C, and PostgreSQL with it", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir);
    await beginRequest(purser);
    purser.signal("SIGINT");
    await untilRefusesConnections(purser.line.base_url);

    // The first ones come too soon to be told from what npm passes on.
    const { elapsedMs } = await until("it ends", async () => {
      purser.signal("SIGINT");
      return purser.child.exitCode ?? undefined;
    });

    expect(await purser.ended).toBe(130);
    expect(elapsedMs).toBeLessThan(5_000);
    await untilNothingRuns(dataDir);
  });

  it("stops after a start that was interrupted, and prints no line", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = launch(["--json", "--port", "0", "--data-dir", dataDir]);
    await until("PostgreSQL runs", async () =>
      purser.stderr().includes("✓ PostgreSQL") ? true : undefined,
    );

    purser.signal("SIGTERM");

    expect(await purser.ended).toBe(0);
    expect(purser.stdout()).toBe("");
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it("takes PostgreSQL with it when a fault of its own ends it", async () => {
    const dataDir = await lab.stoppedDataDir();
    const fault = 'process.on("SIGUSR2", () => { throw new Error("planted"); });';
    const purser = await start(dataDir, {
      nodeOptions: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });

    process.kill(purser.line.pid, "SIGUSR2");

    expect(await purser.ended).toBe(1);
    expect(purser.stderr()).toMatch(/fault of its own.\nError: planted/);
    await untilNothingRuns(dataDir);
  });
});

/** Sends a signed request but for the end of its body, and leaves it to the test when that follows. */
async function beginRequest({ line }: Started) {
  const { hostname, port } = new URL(line.base_url);
  const { api_key, api_secret } = line.demo.test;
  const path = "/api/v1/svc/projects";
  const body = '{"name":"Under way"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { timestamp, method: "POST", path, body: Buffer.from(body) };
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: ${api_key}`,
    `X-Timestamp: ${timestamp}`,
    "X-Nonce: 0123456789abcdef0123456789abcdef",
    `X-Request-Signature: ${signRequest(signingKey(api_secret), signed)}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    // The answer to this is how the test knows that the service has begun with the request.
    "Expect: 100-continue",
  ];
  const socket: Socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "readable");
  expect(String(socket.read())).toMatch(/^HTTP\/1\.1 100 /);
  socket.write(body.slice(0, 5));
  return { answer: text(socket), finish: () => void socket.write(body.slice(5)) };
}

async function untilRefusesConnections(url: string): Promise<void> {
  const { hostname, port } = new URL(url);
  await until(`${url} refuses connections`, async () => {
    const socket = connect(Number(port), hostname);
    const refused = await once(socket, "connect").then(
      () => undefined,
      () => true,
    );
    socket.destroy();
    return refused;
  });
}
