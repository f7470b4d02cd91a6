import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { requestSignature, sha256Hex } from "@purser/service/crypto/signing.ts";
import { afterEach, describe, expect, it } from "vitest";
import { until } from "../../e2e/src/until.ts";
import { findProcessesUsing } from "../../embedded-postgres/test/folder-processes.ts";
import { launch, type Started, start, untilNothingRuns, useLocalProfile } from "./local-profile.ts";

const lab = useLocalProfile(afterEach);

describe("stopping npm start", () => {
  it("exits with code 0 after three signals at the same time; the request in progress gets its response, even if stdout and stderr are closed", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir);
    const request = await startRequest(purser);
    purser.child.stdout?.destroy();
    purser.child.stderr?.destroy();

    for (const name of ["SIGTERM", "SIGINT", "SIGHUP"] as const) purser.signal(name);
    await untilPortIsClosed(purser.line.base_url);
    request.finish();

    expect(await request.response).toMatch(/^HTTP\/1\.1 201 /);
    expect(await purser.ended).toBe(0);
    expect(await findProcessesUsing(dataDir)).toEqual([]);
    await untilPortIsClosed(purser.line.mailbox_url);
  });

  it("Ctrl-C reaches all processes started by npm, and the request in progress gets its response", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir, { through: "npm" });
    const request = await startRequest(purser);

    purser.signalGroup("SIGINT");
    await untilPortIsClosed(purser.line.base_url);
    request.finish();

    expect(await request.response).toMatch(/^HTTP\/1\.1 201 /);
    // npm determines the exit code, so it is not checked.
    await purser.ended;
    await untilNothingRuns(dataDir);
  });

  it("SIGTERM to npm only stops all processes", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir, { through: "npm" });

    purser.signal("SIGTERM");

    await purser.ended;
    await untilNothingRuns(dataDir);
    expect(purser.stderr()).toContain("Stopping Purser after the requests in progress.");
  });

  it("exits with code 130 and stops PostgreSQL immediately after a second Ctrl-C", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = await start(dataDir);
    await startRequest(purser);
    purser.signal("SIGINT");
    await untilPortIsClosed(purser.line.base_url);

    // The signal is sent repeatedly, because signals within 500 ms of the first one count as one stop request.
    const { elapsedMs } = await until("the process ends", async () => {
      purser.signal("SIGINT");
      return purser.child.exitCode ?? undefined;
    });

    expect(await purser.ended).toBe(130);
    expect(elapsedMs).toBeLessThan(5_000);
    await untilNothingRuns(dataDir);
  });

  it("exits with code 0 and prints no line after a signal during the start", async () => {
    const dataDir = await lab.stoppedDataDir();
    const purser = launch(["--json", "--port", "0", "--data-dir", dataDir]);
    await until("PostgreSQL runs", async () => (purser.stderr().includes("✓ PostgreSQL") ? true : undefined));

    purser.signal("SIGTERM");

    expect(await purser.ended).toBe(0);
    expect(purser.stdout()).toBe("");
    expect(await findProcessesUsing(dataDir)).toEqual([]);
  });

  it("exits with code 1 and stops PostgreSQL after an uncaught exception", async () => {
    const dataDir = await lab.stoppedDataDir();
    const fault = 'process.on("SIGUSR2", () => { throw new Error("injected"); });';
    const purser = await start(dataDir, {
      nodeOptions: `--import=data:text/javascript,${encodeURIComponent(fault)}`,
    });

    process.kill(purser.line.pid, "SIGUSR2");

    expect(await purser.ended).toBe(1);
    expect(purser.stderr()).toMatch(/because of an internal error.\nError: injected/);
    await untilNothingRuns(dataDir);
  });
});

/** Sends a signed request whose body is incomplete. `finish` sends the rest. */
async function startRequest({ line }: Started) {
  const { hostname, port } = new URL(line.base_url);
  const { api_key, api_secret } = line.demo.test;
  const path = "/api/v1/svc/projects";
  const body = '{"name":"In progress"}';
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { timestamp, method: "POST", path, bodyHash: sha256Hex(body) };
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    `Authorization: ${api_key}`,
    `X-Timestamp: ${timestamp}`,
    "X-Nonce: 0123456789abcdef0123456789abcdef",
    `X-Request-Signature: ${requestSignature(sha256Hex(api_secret), signed).toString("hex")}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    // The 100 Continue response shows that the service is processing the request.
    "Expect: 100-continue",
  ];
  const socket: Socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.write(`${head.join("\r\n")}\r\n\r\n`);
  await once(socket, "readable");
  expect(String(socket.read())).toMatch(/^HTTP\/1\.1 100 /);
  socket.write(body.slice(0, 5));
  return { response: text(socket), finish: () => void socket.write(body.slice(5)) };
}

async function untilPortIsClosed(url: string): Promise<void> {
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
