import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "../../../service/test/database.ts";
import { type Sandbox, type SandboxOptions, startSandbox } from "./start-sandbox.ts";
import { SANDBOX_VENDOR_NAMES } from "./vendors.ts";

describe("startSandbox", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let sandbox: Sandbox;
  const start = (more: Pick<SandboxOptions, "contractsDir" | "ports" | "chooseOutcome"> = {}) =>
    startSandbox({
      databaseUrl: database.url,
      neonAdminUrl: `${inject("postgres").superuserUrl}postgres`,
      host: "127.0.0.1",
      redirectUris: ["http://127.0.0.1:1/callback"],
      contractsDir: null,
      ...more,
    });

  beforeAll(async () => {
    database = await createTestDatabase();
    sandbox = await start();
  });
  afterAll(async () => {
    await sandbox.close();
  });

  const createProject = () =>
    fetch(`${sandbox.neon.url}/projects`, {
      method: "POST",
      headers: { authorization: "Bearer sandbox-solo-ada", "content-type": "application/json" },
      body: JSON.stringify({ project: { name: "p", region_id: "aws-us-east-2" } }),
    });

  it("starts each vendor on its own port", async () => {
    const response = await fetch(`${sandbox.url}/api/vendors`);
    const { data }: { data: { vendor: string; url: string; operations: string[] }[] } = JSON.parse(
      await response.text(),
    );
    expect(data.map(({ vendor, url }) => ({ vendor, url }))).toEqual(
      SANDBOX_VENDOR_NAMES.map((vendor) => ({
        vendor,
        url: `http://127.0.0.1:${sandbox.ports[vendor]}`,
      })),
    );
    for (const { url } of data) {
      const variables = Object.values(sandbox.environment);
      expect(variables.filter((value) => value.includes(url))).not.toEqual([]);
    }
    expect(new Set(data.map(({ url }) => url)).size).toBe(data.length);
    expect(data.flatMap(({ operations }) => operations)).toEqual(
      expect.arrayContaining(["createProject", "v1-create-a-project", "PostCustomers"]),
    );
  });

  it("force applies an outcome, and throws for an unknown vendor or operation", async () => {
    sandbox.force({ vendor: "neon", operation: "createProject", outcome: "rate_limited" });
    expect((await createProject()).status).toBe(429);
    expect(() => sandbox.force({ vendor: "neon", operation: "nothing", outcome: "refused" })).toThrow(
      "Neon has no operation",
    );
    expect(() => sandbox.force({ vendor: "none", operation: "x", outcome: "ok" })).toThrow(
      `Unknown vendor "none". Known vendors: ${SANDBOX_VENDOR_NAMES.join(", ")}.`,
    );
    expect(() => sandbox.requests("none")).toThrow("Unknown vendor");
    await expect(sandbox.objects("none")).rejects.toThrow("Unknown vendor");
  });

  it("chooseOutcome decides for each call for which no outcome is forced", async () => {
    const chosen: string[] = [];
    await sandbox.close();
    sandbox = await start({
      chooseOutcome: (vendor, { operation }) => {
        chosen.push(`${vendor} ${operation}`);
        return { outcome: "refused", delayMs: 0 };
      },
    });
    sandbox.force({ vendor: "neon", operation: "createProject", outcome: "rate_limited" });

    expect((await createProject()).status).toBe(429);
    expect((await createProject()).status).toBe(422);
    expect(await sandbox.objects("neon")).toEqual([]);
    expect(chosen).toEqual(["neon createProject"]);
    await sandbox.close();
    sandbox = await start();
  });

  it("objects and credentials survive a restart, forced outcomes do not", async () => {
    expect((await createProject()).status).toBe(201);
    sandbox.force({ vendor: "neon", operation: "listProjects", outcome: "refused" });
    const before = await sandbox.objects("neon");
    expect(before.map(({ type }) => type)).toContain("project");
    expect(sandbox.requests("neon").at(-1)).toMatchObject({
      operation: "createProject",
      status: 201,
      valid: null,
    });
    const keys = sandbox.stripe.secretKeys;
    const { turnkey, fireblocks } = sandbox;

    await sandbox.close();
    sandbox = await start();
    expect(await sandbox.objects("neon")).toEqual(before);
    expect(sandbox.requests("neon")).toEqual([]);
    expect(sandbox.stripe.secretKeys).toEqual(keys);
    expect(sandbox.turnkey.credentials).toEqual(turnkey.credentials);
    expect(sandbox.fireblocks.credentials).toEqual(fireblocks.credentials);
    const headers = { authorization: "Bearer sandbox-solo-ada" };
    expect((await fetch(`${sandbox.neon.url}/projects`, { headers })).status).toBe(200);
  });

  it("a failed start closes everything that was already started", async () => {
    const probe = await start();
    await probe.close();
    const free = Number(new URL(probe.stripe.url).port);
    await expect(start({ ports: { neon: free, supabase: 70_000 } })).rejects.toThrow("port");
    await expect(fetch(probe.stripe.url)).rejects.toThrow("fetch failed");
    await expect(start({ contractsDir: import.meta.dirname })).rejects.toThrow("ENOENT");
  });

  it("close can be called twice", async () => {
    const another = await start();
    await Promise.all([another.close(), another.close()]);
    await expect(fetch(another.url)).rejects.toThrow("fetch failed");
    await expect(fetch(another.stripe.url)).rejects.toThrow("fetch failed");
  });
});
