import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import { createNeonProvider } from "@purser/service/adapters/neon-provider.ts";
import type { ProviderAccess } from "@purser/service/ports/service-provider.ts";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf, type Started, start, useLocalLab } from "./local-lab.ts";

const lab = useLocalLab(afterAll);
let dataDir: string;
let purser: Started;

beforeAll(async () => {
  dataDir = await lab.stoppedDataDir();
  purser = await start(dataDir);
});

describe("what Neon's sandbox hands out", () => {
  it("connects after a restart, opens none of our own databases, and is refused once removed", async () => {
    const first = purser;
    const before = await openNeon(dataDir);
    const made = await before.neon.provision(before.access, {
      resourceName: "kept",
      plan: "free",
      region: "aws-us-east-1",
      config: {},
      password: "unused",
    });
    const { DATABASE_URL = "" } = await before.envOf(made.resourceId);
    expect(await currentUser(DATABASE_URL)).toBe(new URL(DATABASE_URL).username);
    await stop();

    purser = await start(dataDir);

    const { line } = purser;
    expect(line.sandbox_url).toBe(first.line.sandbox_url);
    expect(line.mailbox_url).toBe(first.line.mailbox_url);
    expect(await currentUser(DATABASE_URL)).toBe(new URL(DATABASE_URL).username);
    for (const database of ["purser", "purser_simulators"]) {
      const elsewhere = new URL(DATABASE_URL);
      elsewhere.pathname = `/${database}`;
      await expect(currentUser(elsewhere.href)).rejects.toThrow("permission denied for database");
    }
    const after = await openNeon(dataDir);
    expect(await after.neon.find(after.access, "kept")).toEqual(made);
    await after.neon.deprovision(after.access, made.resourceId);
    await expect(currentUser(DATABASE_URL)).rejects.toThrow("password authentication failed");
  });

  it("listens on free ports where other programs took all that it had, and says what that breaks", async () => {
    await stop();
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
    expect(stderr()).toContain(
      `Port ${before["postgres"]} is taken now, where PostgreSQL listened before`,
    );
    const after = await portsOf(dataDir);
    expect(Object.keys(after)).toEqual(Object.keys(before));
    expect(Object.keys(after).length).toBeGreaterThan(10);
    for (const port of Object.values(after)) expect(Object.values(before)).not.toContain(port);
  });
});

async function stop(): Promise<void> {
  purser.signal("SIGTERM");
  expect(await purser.ended).toBe(0);
}

async function portsOf(dataDir: string): Promise<Readonly<Record<string, number>>> {
  return JSON.parse(await readFile(join(dataDir, "ports.json"), "utf8"));
}

/** Neon's sandbox, as somebody else than the service asks it. */
async function openNeon(dataDir: string) {
  const { neon: port } = await portsOf(dataDir);
  const neon = createNeonProvider({ apiUrl: `http://127.0.0.1:${port}/api/v2` });
  const accessToken = "sandbox-alice";
  const { accountId } = await neon.identify(accessToken);
  const access: ProviderAccess = { accessToken, accountId };
  return {
    neon,
    access,
    envOf: (resourceId: string) =>
      neon.readEnv(access, { resourceId, config: {}, password: "unused" }),
  };
}

async function currentUser(databaseUrl: string): Promise<unknown> {
  const client = new Client({ connectionString: databaseUrl });
  try {
    await client.connect();
    const { rows } = await client.query("select current_user as name");
    return rows[0]?.name;
  } finally {
    await client.end();
  }
}
