import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { sendOnce } from "../../e2e/src/signed-client.ts";
import { findOrdinaryUser } from "../../embedded-postgres/test/fixtures.ts";
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
import { currentUser, openNeon, portsOf } from "./neon-sandbox.ts";

const lab = useLocalProfile(afterEach);
const ordinaryUser = await findOrdinaryUser();

describe("npm start in a new folder", () => {
  const shared = useLocalProfile(afterAll);
  let dataDir: string;
  let first: Started;
  let restarted: Started;

  beforeAll(async () => {
    dataDir = await shared.newDataDir();
    first = await start(dataDir);
  });

  it("prints one line of JSON with URLs and credentials that work, and nothing else on standard output", async () => {
    const { line, stdout, stderr } = first;

    const pair = (mode: string) => ({
      api_key: expect.stringMatching(new RegExp(`^svc_sk_${mode}_[\\w-]{43}$`)),
      api_secret: expect.stringMatching(new RegExp(`^svc_ss_${mode}_[\\w-]{64}$`)),
    });
    expect(line).toEqual({
      base_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      dashboard_url: `${line.base_url}/dashboard`,
      docs_url: `${line.base_url}/docs`,
      mailbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      sandbox_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      networks_url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      demo: {
        email: "demo@purser.local",
        password: expect.stringMatching(/^.{16}$/),
        live: pair("live"),
        test: pair("test"),
      },
      admin: {
        email: "admin@purser.local",
        password: expect.stringMatching(/^.{24}$/),
        totp_secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      },
      pid: expect.any(Number),
    });
    expect(stdout()).toBe(`${JSON.stringify(line)}\n`);
    expect(stderr()).toMatch(/^Starting Purser in .*\n {2}✓ PostgreSQL .*\n/);
    expect(await findProcessesUsing(dataDir)).toContainEqual(expect.objectContaining({ pid: line.pid }));
    for (const url of [line.docs_url, line.mailbox_url, line.sandbox_url, `${line.base_url}/readyz`]) {
      expect({ url, status: (await sendOnce(url)).status }).toEqual({ url, status: 200 });
    }
    for (const mode of ["live", "test"] as const) {
      const { status, headers } = await clientOf(line, mode).get("/developers/me");
      expect({ status, mode: headers.get("x-svc-mode") }).toEqual({ status: 200, mode });
    }
    expect(await logInAdmin(line)).toBe(200);
  });

  it("other users cannot read the data folder", async () => {
    expect(await readableByOthers(dataDir)).toEqual([]);
    expect(await readdir(dataDir)).toEqual(
      expect.arrayContaining(["admin.json", "claims", "demo.json", "postgres", "purser.log", "secrets"]),
    );
  });

  it("exit code 1: the data folder is in use; the first process is not affected", async () => {
    const { line } = first;
    const postmaster = await postmasterOf(dataDir);

    const second = launch(["--json", "--port", "0"], { environment: { PURSER_DATA_DIR: dataDir } });

    expect(await second.ended).toBe(1);
    expect(second.stdout()).toBe("");
    expect(second.stderr()).toContain(
      `is in use by process ${line.pid}. Stop that process, or choose another data folder.`,
    );
    expect((await clientOf(line).get("/developers/me")).status).toBe(200);
    expect(await postmasterOf(dataDir)).toBe(postmaster);
  });

  it("after a restart: the same keys, projects and URLs, new limits; a Neon database's login cannot connect to other databases", async () => {
    const made = await clientOf(first.line).post("/projects", { name: "Kept" });
    const before = await openNeon(dataDir);
    const resource = await before.neon.provision(before.access, {
      resourceName: "kept",
      service: "neon/postgres",
      plan: "free",
      region: "aws-us-east-1",
      config: {},
      password: "unused",
    });
    const { DATABASE_URL = "" } = await before.envOf(resource.resourceId);
    expect(await currentUser(DATABASE_URL)).toBe(new URL(DATABASE_URL).username);
    first.signal("SIGTERM");
    expect(await first.ended).toBe(0);

    restarted = await start(dataDir, { environment: { PURSER_KEY_BURST: "77" } });

    const { line } = restarted;
    expect(line.demo).toEqual(first.line.demo);
    expect(line.admin).toEqual(first.line.admin);
    expect(line.sandbox_url).toBe(first.line.sandbox_url);
    expect(line.mailbox_url).toBe(first.line.mailbox_url);
    expect(line.networks_url).toBe(first.line.networks_url);
    const listed = await clientOf(line).get("/projects");
    expect(listed.body).toMatchObject({ data: [made.body] });
    expect((await clientOf(line).get("/limits")).body).toMatchObject({ data: [{ limit: 77 }] });
    expect(await currentUser(DATABASE_URL)).toBe(new URL(DATABASE_URL).username);
    for (const database of ["purser", "purser_simulators"]) {
      const elsewhere = new URL(DATABASE_URL);
      elsewhere.pathname = `/${database}`;
      await expect(currentUser(elsewhere.href)).rejects.toThrow("permission denied for database");
    }
    const after = await openNeon(dataDir);
    expect(await after.neon.find(after.access, "kept")).toEqual(resource);
    await after.neon.deprovision(after.access, resource.resourceId);
    await expect(currentUser(DATABASE_URL)).rejects.toThrow("password authentication failed");
  });

  it("uses free ports when all of its ports are taken, and reports the effect", async () => {
    restarted.signal("SIGTERM");
    expect(await restarted.ended).toBe(0);
    const before = await portsOf(dataDir);
    const others = Object.values(before).map((port) => createServer().listen(port, "127.0.0.1"));
    await Promise.all(others.map((other) => once(other, "listening")));

    const { line, stderr } = await start(dataDir);

    for (const other of others) other.close();
    const client = clientOf(line);
    expect((await client.get("/developers/me")).status).toBe(200);
    const project = (await client.post("/projects", { name: "Linked" })).body as {
      project_id: string;
    };
    const begun = await client.post(`/projects/${project.project_id}/link`, { provider: "neon" });
    const link = begun.body as { url: string };
    expect(await (await fetch(link.url)).text()).toContain("<code>sandbox-ada</code>");
    expect(stderr()).toContain(`PostgreSQL's port ${before["postgres"]} is now taken`);
    const after = await portsOf(dataDir);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.keys(after).length).toBeGreaterThan(10);
    for (const port of Object.values(after)) expect(Object.values(before)).not.toContain(port);
  });
});

describe("npm start", () => {
  it.skipIf(ordinaryUser === undefined)("runs as a user other than root", async () => {
    const dataDir = await lab.newDataDir(ordinaryUser);

    const { line, signal, ended } = await start(dataDir, {
      user: ordinaryUser ?? { uid: 0, gid: 0 },
    });

    expect((await clientOf(line).get("/developers/me")).status).toBe(200);
    expect((await stat(`/proc/${line.pid}`)).uid).toBe(ordinaryUser?.uid);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("exit code 1: the port is taken; no process is left running", async () => {
    const dataDir = await lab.stoppedDataDir();
    const other = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => other.once("listening", resolve));
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";

    const launched = launch(["--json", "--port", port, "--data-dir", dataDir]);

    expect(await launched.ended).toBe(1);
    other.close();
    expect(launched.stdout()).toBe("");
    expect(launched.stderr()).toContain(`Port ${port} is taken by another program, and Purser's API needs it.`);
    expect(launched.stderr()).not.toMatch(/ at .*\.ts:\d+/);
    await untilNothingRuns(dataDir);
  });

  it("exit code 1: an earlier version created the data; it is kept", async () => {
    const dataDir = await lab.stoppedDataDir();
    const names = () => onDatabase(dataDir, "select name from schema_migrations order by name");
    await onDatabase(dataDir, "update schema_migrations set name = 'old ' || name");
    const before = await names();

    const launched = launch(["--json", "--port", "0", "--data-dir", dataDir]);

    expect(await launched.ended).toBe(1);
    expect(launched.stdout()).toBe("");
    expect(launched.stderr()).toContain(
      `An earlier version of Purser created the data in ${dataDir}, and this version cannot use it: move or delete this folder, then start again.`,
    );
    expect(launched.stderr()).not.toMatch(/ at .*\.ts:\d+/);
    await untilNothingRuns(dataDir);
    expect(await names()).toEqual(before);
  });
});

/** Runs a statement in the service's database of a data folder that no process uses. */
async function onDatabase(dataDir: string, statement: string): Promise<unknown[]> {
  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    return await withAdminClient(postgres, "purser", async (client) => (await client.query(statement)).rows);
  } finally {
    await postgres.stop();
  }
}

/** Returns the files that other users can read. Skips folders that other users cannot enter, such as PostgreSQL's. */
async function readableByOthers(folder: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const { mode } = await stat(path);
    if (entry.isFile() && (mode & 0o077) !== 0) found.push(path);
    if (entry.isDirectory() && (mode & 0o011) !== 0) found.push(...(await readableByOthers(path)));
  }
  return found;
}
