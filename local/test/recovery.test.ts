import { randomUUID } from "node:crypto";
import { readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ask, createSignedClient, type SendOptions } from "../../e2e/src/signed-client.ts";
import { until } from "../../e2e/src/until.ts";
import {
  clientOf,
  launch,
  postmasterOf,
  processesOf,
  start,
  untilNothingRuns,
  useLocalLab,
} from "./local-lab.ts";
import { logInAdmin } from "./log-in-admin.ts";

const files = useLocalLab(afterAll);
const lab = useLocalLab(afterEach);
let stopped: string;

beforeAll(async () => {
  stopped = await files.makeStopped();
});

describe("npm start after kill -9", () => {
  it("adopts the database of a killed process, and refuses the nonces that it took", async () => {
    const dataDir = await lab.copyOf(stopped);
    const killed = await start(dataDir);
    const postmaster = await postmasterOf(dataDir);
    const made = await clientOf(killed.line).post("/projects", { name: "Kept" });
    const sent: SendOptions = { nonce: randomUUID(), timestamp: unixSeconds() };
    expect((await clientOf(killed.line).get("/developers/me", sent)).status).toBe(200);
    process.kill(killed.line.pid, "SIGKILL");
    await killed.ended;

    const { line } = await start(dataDir);

    expect(await postmasterOf(dataDir)).toBe(postmaster);
    expect(line.demo).toEqual(killed.line.demo);
    const client = clientOf(line);
    expect((await client.get("/developers/me", sent)).status).toBe(401);
    expect((await client.get("/projects")).body).toMatchObject({ data: [made.body] });
  });

  it("503, and then 200 again: a PostgreSQL that is killed is started again", async () => {
    const dataDir = await lab.copyOf(stopped);
    const { line, stderr, signal, ended } = await start(dataDir);
    const client = clientOf(line);
    const made = await client.post("/projects", { name: "Kept" });
    const postmaster = await postmasterOf(dataDir);

    process.kill(postmaster, "SIGKILL");

    const statuses = new Set<number>();
    await until("it answers again", async () => {
      const { status } = await client.get("/projects");
      const recovered = status === 200 && statuses.has(503);
      statuses.add(status);
      return recovered || undefined;
    });
    expect([...statuses].sort()).toEqual([200, 503]);
    expect((await client.get("/projects")).body).toMatchObject({ data: [made.body] });
    expect((await ask(`${line.mailbox_url}/api/messages`)).status).toBe(200);
    expect(await postmasterOf(dataDir)).not.toBe(postmaster);
    expect(stderr()).toContain("PostgreSQL had ended and was started again.");
    signal("SIGTERM");
    expect(await ended).toBe(0);
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it("stops with code 1 and says why when PostgreSQL cannot be started again", async () => {
    const dataDir = await lab.copyOf(stopped);
    const { stderr, ended } = await start(dataDir);

    await rename(join(dataDir, "postgres/cluster"), join(dataDir, "postgres/moved"));
    process.kill(await postmasterOf(dataDir), "SIGKILL");

    expect(await ended).toBe(1);
    expect(stderr()).toMatch(
      /PostgreSQL has ended and cannot be started again\. Its files in .* are gone\./,
    );
    expect(await processesOf(dataDir)).toEqual([]);
  });

  it("stops with code 1 when PostgreSQL is killed again and again", async () => {
    const dataDir = await lab.copyOf(stopped);
    const { line, stderr, ended, child } = await start(dataDir);

    const killed = new Set<number>();
    await until(
      "it gives up",
      async () => {
        if (child.exitCode !== null) return true;
        const pid = await postmasterOf(dataDir);
        const { status } = await ask(`${line.base_url}/readyz`);
        if (status === 200 && !killed.has(pid)) process.kill(pid, "SIGKILL");
        if (status === 200) killed.add(pid);
        return undefined;
      },
      20_000,
    );

    expect(await ended).toBe(1);
    expect(stderr()).toContain("PostgreSQL has ended and cannot be started again.");
    expect(await processesOf(dataDir)).toEqual([]);
  });
});

describe("npm start on a damaged data folder", () => {
  it("makes new keys where demo.json is gone, and keeps the projects", async () => {
    const dataDir = await lab.copyOf(stopped);
    const before = JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"));
    await rm(join(dataDir, "demo.json"));
    for (const name of [
      "access-token-key",
      "captcha-secret",
      "owner-password",
      "service-password",
      "sandbox-password",
    ])
      await rm(join(dataDir, "secrets", name));

    const { line, stderr } = await start(dataDir);

    expect(stderr()).toContain("demo.json did not hold what works");
    for (const mode of ["live", "test"] as const) {
      expect(line.demo[mode].api_key).not.toBe(before[mode].api_key);
      expect((await clientOf(line, mode).get("/developers/me")).status).toBe(200);
    }
    expect(await logIn(line)).toBe(200);
    expect(JSON.parse(await readFile(join(dataDir, "demo.json"), "utf8"))).toEqual(line.demo);
    expect((await stat(join(dataDir, "demo.json"))).mode & 0o777).toBe(0o600);
    // Nobody asked for the end of the keys that the file held.
    const { api_key: apiKey, api_secret: apiSecret } = before.test;
    const earlier = createSignedClient(line.base_url, { apiKey, apiSecret });
    expect((await earlier.get("/developers/me")).status).toBe(200);
  });

  it.each([
    ["is not JSON", () => "{"],
    ["holds other things", (demo: string) => demo.replace(/"live": \{[^}]*\}/, '"live": []')],
    [
      "holds a secret that is not its key's",
      (demo: string) => demo.replace(/svc_ss_test_..../, "svc_ss_test_ABCD"),
    ],
  ])("makes new keys where demo.json %s", async (_what, garble) => {
    const dataDir = await lab.copyOf(stopped);
    const path = join(dataDir, "demo.json");
    await writeFile(path, garble(await readFile(path, "utf8")));

    const { line } = await start(dataDir);

    for (const mode of ["live", "test"] as const)
      expect((await clientOf(line, mode).get("/developers/me")).status).toBe(200);
    expect(await logIn(line)).toBe(200);
  });

  it.each([
    ["is gone", () => undefined],
    ["is not JSON", () => "{"],
    ["holds another secret", (admin: string) => admin.replace(/[A-Z2-7]{32}/, "A".repeat(32))],
    [
      "holds another password",
      (admin: string) => admin.replace(/"password": "..../, '"password": "ABCD'),
    ],
  ])("makes new secrets for the admin where admin.json %s", async (_what, garble) => {
    const dataDir = await lab.copyOf(stopped);
    const path = join(dataDir, "admin.json");
    const before = await readFile(path, "utf8");
    const garbled = garble(before);
    await (garbled === undefined ? rm(path) : writeFile(path, garbled));

    const { line } = await start(dataDir);

    expect(line.admin).not.toMatchObject({ totp_secret: JSON.parse(before).totp_secret });
    expect(await logInAdmin(line)).toBe(200);
    expect(JSON.parse(await readFile(path, "utf8"))).toEqual(line.admin);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("refuses to start without the key encryption key, and starts when it is put back", async () => {
    const dataDir = await lab.copyOf(stopped);
    const path = join(dataDir, "secrets/key-encryption-key");
    const key = await readFile(path);
    await rm(path);

    const refused = launch(["--json", "--port", "0", "--data-dir", dataDir]);

    expect(await refused.ended).toBe(1);
    expect(refused.stdout()).toBe("");
    expect(refused.stderr()).toContain(`The file ${path} is missing`);
    expect(refused.stderr()).toContain("Without it no API key signs and no variable opens");
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
    await untilNothingRuns(dataDir);
    await writeFile(path, key, { mode: 0o600 });
    const { line } = await start(dataDir);
    expect((await clientOf(line).get("/developers/me")).status).toBe(200);
  });
});

async function logIn({ base_url, demo }: Awaited<ReturnType<typeof start>>["line"]) {
  const { status } = await ask(`${base_url}/api/v1/svc/developers/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: demo.email, password: demo.password }),
  });
  return status;
}

function unixSeconds(): string {
  return String(Math.floor(Date.now() / 1000));
}
