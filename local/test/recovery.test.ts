import { randomUUID } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSignedClient, type SendOptions, sendOnce } from "../../e2e/src/signed-client.ts";
import { until } from "../../e2e/src/until.ts";
import { findProcessesUsing } from "../../embedded-postgres/test/folder-processes.ts";
import {
  clientOf,
  launch,
  postmasterOf,
  type Started,
  start,
  untilNothingRuns,
  useLocalProfile,
} from "./local-profile.ts";
import { logInAdmin } from "./log-in-admin.ts";

/** A start takes about eight seconds, and longer on a busy machine. */
const TWO_STARTS = { timeout: 60_000 };
const lab = useLocalProfile(afterAll);

describe("npm start after kill -9", () => {
  let dataDir: string;
  let purser: Started;

  it("reuses PostgreSQL after the process was killed, and rejects nonces used before (401)", TWO_STARTS, async () => {
    dataDir = await lab.stoppedDataDir();
    const killed = await start(dataDir);
    const postmaster = await postmasterOf(dataDir);
    const made = await clientOf(killed.line).post("/projects", { name: "Kept" });
    const sent: SendOptions = { nonce: randomUUID(), timestamp: unixSeconds() };
    expect((await clientOf(killed.line).get("/developers/me", sent)).status).toBe(200);
    process.kill(killed.line.pid, "SIGKILL");
    await killed.ended;

    purser = await start(dataDir);

    const { line } = purser;
    expect(await postmasterOf(dataDir)).toBe(postmaster);
    expect(line.demo).toEqual(killed.line.demo);
    const client = clientOf(line);
    expect((await client.get("/developers/me", sent)).status).toBe(401);
    expect((await client.get("/projects")).body).toMatchObject({ data: [made.body] });
  });

  it("503, then 200, after PostgreSQL is killed once; exit code 1 after it is killed repeatedly", async () => {
    const { line, stderr, ended, child } = purser;
    const client = clientOf(line, "test", { retriesMax: 0 });
    const { body: projects } = await client.get("/projects");
    const postmaster = await postmasterOf(dataDir);

    process.kill(postmaster, "SIGKILL");

    const statuses = new Set<number>();
    await until("requests succeed", async () => {
      const { status } = await client.get("/projects");
      const recovered = status === 200 && statuses.has(503);
      statuses.add(status);
      return recovered || undefined;
    });
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await client.get("/projects")).body).toEqual(projects);
    expect((await sendOnce(`${line.mailbox_url}/api/messages`)).status).toBe(200);
    expect(await postmasterOf(dataDir)).not.toBe(postmaster);
    expect(stderr()).toContain("PostgreSQL ended unexpectedly and was restarted.");

    const killed = new Set<number>();
    await until(
      "the process exits",
      async () => {
        if (child.exitCode !== null) return true;
        const pid = await postmasterOf(dataDir);
        const { status } = await sendOnce(`${line.base_url}/readyz`);
        if (status === 200 && !killed.has(pid)) process.kill(pid, "SIGKILL");
        if (status === 200) killed.add(pid);
        return undefined;
      },
      20_000,
    );

    expect(await ended).toBe(1);
    expect(stderr()).toContain("PostgreSQL has ended and cannot be restarted.");
    expect(await findProcessesUsing(dataDir)).toEqual([]);
  });
});

describe("npm start with a damaged data folder", () => {
  it("exit code 1: the key encryption key is missing; after it is restored, other missing files are recreated", async () => {
    const dataDir = await lab.stoppedDataDir();
    const keyFile = join(dataDir, "secrets/key-encryption-key");
    const key = await readFile(keyFile);
    const before = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    const missing = [
      "demo.json",
      "admin.json",
      "secrets/access-token-key",
      "secrets/captcha-secret",
      "secrets/owner-password",
      "secrets/service-password",
      "secrets/sandbox-password",
    ];
    for (const name of missing) await rm(join(dataDir, name));
    await rm(keyFile);

    const refused = launch(["--json", "--port", "0", "--data-dir", dataDir]);

    expect(await refused.ended).toBe(1);
    expect(refused.stdout()).toBe("");
    expect(refused.stderr()).toContain(`The file ${keyFile} is missing`);
    expect(refused.stderr()).toContain("Without it, API keys do not work and variables cannot be decrypted");
    await expect(stat(keyFile)).rejects.toMatchObject({ code: "ENOENT" });
    await untilNothingRuns(dataDir);
    await writeFile(keyFile, key, { mode: 0o600 });

    const { line, stderr } = await start(dataDir);

    expect(stderr()).toContain("demo.json had missing or invalid credentials");
    for (const mode of ["live", "test"] as const) {
      expect(line.demo[mode].api_key).not.toBe(before[mode].api_key);
      expect((await clientOf(line, mode).get("/developers/me")).status).toBe(200);
    }
    expect(await logIn(line)).toBe(200);
    expect(await logInAdmin(line)).toBe(200);
    expect(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"))).toEqual(line.demo);
    expect(JSON.parse(await readFile(join(dataDir, "admin.json"), "utf8"))).toEqual(line.admin);
    // Deleting demo.json did not revoke the keys that it contained.
    const { api_key: apiKey, api_secret: apiSecret } = before.test;
    const earlier = createSignedClient(line.base_url, { apiKey, apiSecret });
    expect((await earlier.get("/developers/me")).status).toBe(200);
  });
});

async function logIn({ base_url, demo }: Awaited<ReturnType<typeof start>>["line"]) {
  const { status } = await sendOnce(`${base_url}/api/v1/svc/developers/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: demo.email, password: demo.password }),
  });
  return status;
}

function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
