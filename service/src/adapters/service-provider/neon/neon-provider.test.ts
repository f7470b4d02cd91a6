import { randomBytes } from "node:crypto";
import { createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { neonSimulator } from "@purser/simulators/neon/neon-simulator.ts";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { startTestVendor } from "../../../../../simulators/test/start-test-vendor.ts";
import { startTamperingProxy } from "../../../../test/vendors/misbehaving-vendor.ts";
import type {
  ProviderAccess,
  ProviderEnv,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { createNeonProvider } from "./neon-provider.ts";

const PREFIX = "/api/v2";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let neon: ServiceProvider;
/** The connection URL of a role that can create roles and databases but is not a superuser. */
let adminUrl: string;

beforeAll(async () => {
  adminUrl = `${inject("postgres").ownerUrl}postgres`;
  vendor = await startTestVendor(neonSimulator({ adminUrl }));
  neon = providerAt(vendor.url);
});
afterAll(() => vendor.close());

const tcpServers: TcpServer[] = [];
const created: { readonly access: ProviderAccess; readonly projectId: string }[] = [];
afterEach(async () => {
  for (const server of tcpServers.splice(0)) server.close();
  const projects = created.splice(0);
  for (const { access, projectId } of projects) await neon.deprovision(access, projectId);
  expect(await leftovers(projects.map(({ projectId }) => projectId))).toEqual([]);
});

function providerAt(url: string, timeoutMs = 10_000): ServiceProvider {
  return createNeonProvider({ apiUrl: url + PREFIX, timeoutMs });
}

/** Returns the databases and roles that still exist for these projects. */
async function leftovers(projectIds: readonly string[]): Promise<string[]> {
  const names = await query(
    adminUrl,
    "select datname::text as name from pg_database union all select rolname::text from pg_roles",
  );
  const suffixes = projectIds.map((id) => `_${id.replaceAll("-", "_")}`);
  return names.map(({ name }) => String(name)).filter((name) => suffixes.some((suffix) => name.endsWith(suffix)));
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

function accessOf(account: string): ProviderAccess {
  return { accessToken: `sandbox-${account}`, accountId: `org-${account}` };
}

function order(change: Partial<ProvisionRequest> = {}): ProvisionRequest {
  return {
    resourceName: `svc-${randomBytes(6).toString("hex")}`,
    service: "neon/postgres",
    plan: "free",
    region: "aws-eu-central-1",
    config: {},
    password: "not-needed",
    ...change,
  };
}

/** Returns the credentials of a new account, and a provision request. */
function arrange(change: Partial<ProvisionRequest> = {}) {
  return { access: accessOf(`t${randomBytes(6).toString("hex")}`), ordered: order(change) };
}

async function arrangeProject(change: Partial<ProvisionRequest> = {}) {
  const { access, ordered } = arrange(change);
  const { resourceId } = await neon.provision(access, ordered);
  created.push({ access, projectId: resourceId });
  return { access, ordered, resourceId };
}

function envOf(
  provider: ServiceProvider,
  project: {
    readonly access: ProviderAccess;
    readonly ordered: ProvisionRequest;
    readonly resourceId: string;
  },
): Promise<ProviderEnv> {
  const { config, password } = project.ordered;
  return provider.readEnv(project.access, { resourceId: project.resourceId, config, password });
}

/** A provider whose calls pass a proxy that changes the texts of responses. */
async function providerWith(tamper: (text: string, at: string) => string): Promise<ServiceProvider> {
  return providerAt(await startTamperingProxy(vendor.url, tamper));
}

describe("identify", () => {
  it("returns the organization and the user's email address for a user in one organization", async () => {
    expect(await neon.identify("sandbox-alice")).toEqual({
      accountId: "org-alice",
      label: "alice@sandbox.example",
    });
  });

  it("returns the organization for an organization key", async () => {
    expect(await neon.identify("sandbox-org-alice")).toEqual({
      accountId: "org-alice",
      label: "org-alice",
    });
  });

  it("returns only the email address for a user without an organization", async () => {
    expect(await neon.identify("sandbox-solo-alice")).toEqual({
      accountId: null,
      label: "alice@sandbox.example",
    });
  });

  it("refused: the user is in several organizations", async () => {
    await expect(neon.identify("sandbox-several-alice")).rejects.toMatchObject({
      failure: "refused",
      vendorMessage: expect.stringContaining("several organizations"),
    });
  });

  it("has no OAuth flow", () => {
    expect(neon.oauth).toBeNull();
  });
});

describe("project", () => {
  it("is ready immediately, with the requested settings, in the given organization", async () => {
    const { access, ordered, resourceId } = await arrangeProject({
      region: "aws-us-west-2",
      config: { pg_version: 16, database_name: "shop" },
    });

    const ready = { status: "ready", resourceId };
    expect(await neon.inspect(access, resourceId)).toEqual(ready);
    expect(await neon.find(access, ordered.resourceName)).toEqual(ready);
    expect((await vendor.context.objects.find("project", resourceId))?.data).toMatchObject({
      name: ordered.resourceName,
      ownerId: access.accountId,
      regionId: "aws-us-west-2",
      pgVersion: 16,
      databaseName: "shop",
      roleName: "neondb_owner",
    });
  });

  it("is created for a user without an organization", async () => {
    const { ordered } = arrange();
    const access = { accessToken: "sandbox-solo-alice", accountId: null };

    const { resourceId } = await neon.provision(access, ordered);
    created.push({ access, projectId: resourceId });

    expect(await neon.find(access, ordered.resourceName)).toEqual({ status: "ready", resourceId });
  });

  it("refused: too many projects; the error contains Neon's code", async () => {
    for (const [access, ordered] of [
      [accessOf("full-alice"), order()],
      [accessOf("alice"), order({ resourceName: "svc-over-quota" })],
    ] as const) {
      await expect(neon.provision(access, ordered)).rejects.toMatchObject({
        failure: "refused",
        operation: "createProject",
        vendorCode: "PROJECTS_LIMIT_EXCEEDED",
      });
    }
  });

  it("find: returns the oldest project with the name, from any page of the list", async () => {
    const { access, ordered, resourceId } = await arrangeProject();
    const younger = { created_at: "2099-01-01T00:00:00Z" };
    const pages = await providerWith((text, at) => {
      if (!at.startsWith("GET /api/v2/projects?")) return text;
      const body = JSON.parse(text);
      if (at.includes("cursor=")) return text;
      const [first] = body.projects;
      const projects = [{ ...first, ...younger, id: "younger-project" }];
      return JSON.stringify({ ...body, projects, pagination: { cursor: "before-all" } });
    });

    expect(await pages.find(access, ordered.resourceName)).toEqual({ status: "ready", resourceId });
  });

  it("find: unavailable if Neon cannot list all projects", async () => {
    const { access, ordered } = arrange();
    const partial = await providerWith((text) =>
      JSON.stringify({ ...JSON.parse(text), unavailable_project_ids: ["calm-lake-1"] }),
    );

    await expect(partial.find(access, ordered.resourceName)).rejects.toMatchObject({
      failure: "unavailable",
    });
  });

  it("pending: its operations are running; failed: one of them failed", async () => {
    const { access, ordered, resourceId } = await arrangeProject();
    const { ordered: another } = arrange();
    const running = await providerWith((text) => text.replaceAll("finished", "running"));
    const failed = await providerWith((text) => text.replace("finished", "failed"));

    const pending = { status: "pending", pollAfterMs: 1_000, expectedSeconds: 5 };
    expect(await running.find(access, ordered.resourceName)).toEqual({ ...pending, resourceId });
    const second = await running.provision(access, another);
    created.push({ access, projectId: second.resourceId });
    expect(second).toEqual({ ...pending, resourceId: second.resourceId });
    expect(await failed.inspect(access, resourceId)).toMatchObject({
      status: "failed",
      reason: expect.stringContaining("failed"),
    });
  });

  it("pending: it was created, but its operations could not be read", async () => {
    const { access, ordered } = arrange();
    vendor.outcomes.force({ operation: "listProjectOperations", outcome: "timeout_lost" });

    const resource = await providerAt(vendor.url, 3_000).provision(access, ordered);
    created.push({ access, projectId: resource.resourceId });

    expect(resource).toMatchObject({ status: "pending" });
  });
});

describe("readEnv", () => {
  it("returns variables that connect to the project's own database", async () => {
    const project = await arrangeProject({ config: { database_name: "shop" } });

    const env = await envOf(neon, project);

    const { hostname, port } = new URL(adminUrl);
    expect(env).toEqual({
      DATABASE_URL: expect.stringContaining(`@${hostname}:${port}/`),
      DATABASE_URL_UNPOOLED: expect.stringContaining(`@${hostname}:${port}/`),
      PGHOST: hostname,
      PGUSER: expect.stringMatching(/^neondb_owner_/),
      PGDATABASE: expect.stringMatching(/^shop_/),
      PGPASSWORD: expect.stringMatching(/^npg_[\w-]{24}$/),
    });
    await query(env["DATABASE_URL"] ?? "", "create table written as select 1 as here");
    expect(
      await query(
        env["DATABASE_URL_UNPOOLED"] ?? "",
        "select here, current_user::text as who, current_database()::text as at from written",
      ),
    ).toEqual([{ here: 1, who: env["PGUSER"], at: env["PGDATABASE"] }]);
  });

  it("does not give access to another project's database", async () => {
    const one = await envOf(neon, await arrangeProject());
    const other = await envOf(neon, await arrangeProject());
    const url = new URL(one["DATABASE_URL"] ?? "");
    url.pathname = `/${other["PGDATABASE"]}`;

    await expect(query(url.href, "select 1")).rejects.toThrow("permission denied for database");
  });

  it("the variables do not work after deprovision", async () => {
    const project = await arrangeProject();
    const env = await envOf(neon, project);
    const connected = new Client({ connectionString: env["DATABASE_URL"] });
    const cut = new Promise((resolve) => connected.on("error", resolve));
    await connected.connect();

    await neon.deprovision(project.access, project.resourceId);

    await cut;
    await expect(query(env["DATABASE_URL"] ?? "", "select 1")).rejects.toThrow();
  });

  it("not_found: a different database name", async () => {
    const project = await arrangeProject();

    await expect(
      envOf(neon, { ...project, ordered: order({ config: { database_name: "other" } }) }),
    ).rejects.toMatchObject({ failure: "not_found", operation: "getConnectionURI" });
  });
});

describe("deprovision", () => {
  it("completes an interrupted deletion", async () => {
    const project = await arrangeProject();
    const env = await envOf(neon, project);
    await query(adminUrl, `drop database ${env["PGDATABASE"]} with (force)`);

    await neon.deprovision(project.access, project.resourceId);

    expect(await vendor.context.objects.find("project", project.resourceId)).toBeUndefined();
  });
});

describe("rotate and retire", () => {
  it("rotates although a user has reset the password in Neon's console", async () => {
    const project = await arrangeProject();
    const { access, resourceId } = project;
    const env = await envOf(neon, project);
    await resetPassword(access, resourceId);

    const rotation = { resourceId, config: {}, rotationId: "rot_1", env, password: "" };
    const rotated = await neon.rotate?.(access, rotation);

    expect(await neon.checkEnv?.(env)).toBe(false);
    expect(await neon.checkEnv?.(rotated?.env ?? {})).toBe(true);
  });

  it("ends the former connections although the first attempt broke after the reset", async () => {
    const project = await arrangeProject();
    const { access, resourceId } = project;
    const former = await envOf(neon, project);
    const running = new Client({ connectionString: former["DATABASE_URL"] });
    const ended = new Promise((resolve) => running.on("error", resolve));
    await running.connect();
    const rotation = { resourceId, config: {}, rotationId: "rot_2", env: former, password: "" };
    const current: ProviderEnv = (await neon.rotate?.(access, rotation))?.env ?? {};
    await running.query("create table made_by_former (id int)");
    const credentials = { resourceId, config: {}, former, current };
    const operation = "resetProjectBranchRolePassword";
    vendor.outcomes.force({ operation, outcome: "error_applied" });

    await expect(neon.retire?.(access, credentials)).rejects.toMatchObject({ failure: "unknown" });
    await neon.retire?.(access, credentials);

    await ended;
    expect(await neon.checkEnv?.(former)).toBe(false);
    const currentUrl = String(current["DATABASE_URL"]);
    await query(currentUrl, "drop table made_by_former");
  });

  it("the new login can create and change tables although Neon has made the first login the owner again", async () => {
    const project = await arrangeProject();
    const { access, resourceId } = project;
    const former = await envOf(neon, project);
    const formerUrl = String(former["DATABASE_URL"]);
    await query(formerUrl, "create table made_before (id int)");
    const rotation = { resourceId, config: {}, rotationId: "rot_4", env: former, password: "" };
    const current: ProviderEnv = (await neon.rotate?.(access, rotation))?.env ?? {};
    await query(formerUrl, "create table made_meanwhile (id int)");
    await neon.retire?.(access, { resourceId, config: {}, former, current });

    await resetPassword(access, resourceId);

    const currentUrl = String(current["DATABASE_URL"]);
    const owner = "select datdba::regrole::text as owner from pg_database where datname = current_database()";
    expect(await query(currentUrl, owner)).toEqual([{ owner: former["PGUSER"] }]);
    await query(currentUrl, "create table made_afterwards (id int)");
    await query(currentUrl, "create schema made_too");
    await query(currentUrl, "drop table made_before, made_meanwhile, made_afterwards");
  });

  it.each([
    ["rotate", "running"],
    ["rotate", "failed"],
    ["retire", "running"],
    ["retire", "failed"],
  ] as const)(
    "%s is unavailable while the operation that changes the login is %s, and succeeds when it has ended",
    async (call, status) => {
      const project = await arrangeProject();
      const { access, resourceId } = project;
      const former = await envOf(neon, project);
      const rotation = { resourceId, config: {}, rotationId: "rot_3", env: former, password: "" };
      const rotateWith = (provider: ServiceProvider) => provider.rotate?.(access, rotation);
      const retireWith = async (provider: ServiceProvider) => {
        const current = (await rotateWith(neon))?.env ?? {};
        return provider.retire?.(access, { resourceId, config: {}, former, current });
      };
      const callWith = { rotate: rotateWith, retire: retireWith }[call];
      const unapplied = await providerWith((text, at) =>
        at.includes("/operations/") ? text.replace(/"status":"\w+"/, `"status":"${status}"`) : text,
      );

      await expect(callWith(unapplied)).rejects.toMatchObject({ failure: "unavailable" });
      await callWith(neon);
    },
  );

  it("unavailable: the database of another machine has no TLS; the login is not sent", async () => {
    const received: boolean[] = [];
    const port = await startPostgresProxy((socket, isTlsRequest) => {
      received.push(isTlsRequest);
      socket.end("N");
    });
    // This address also reaches the local machine, but it is not a loopback address.
    const host = "0.0.0.0";
    const uri = `postgresql://eve:x@${host}:${port}/neondb?sslmode=disable`;

    const checked = providerAt(`http://${host}:1`).checkEnv?.({ DATABASE_URL_UNPOOLED: uri });

    await expect(checked).rejects.toMatchObject({ failure: "unavailable" });
    expect(received).toEqual([true]);
  });

  it.each([
    ["false: the password is wrong", "password authentication failed for user 'eve'", false],
    ["unavailable: any other error", "Control plane request failed", "unavailable"],
  ])("checkEnv with an error of Neon's proxy: %s", async (_what, message, expected) => {
    const port = await startPostgresProxy((socket, isTlsRequest) =>
      socket.end(isTlsRequest ? "N" : errorResponse("XX000", message)),
    );

    const accepted = await neon
      .checkEnv?.({ DATABASE_URL_UNPOOLED: `postgresql://eve:x@127.0.0.1:${port}/neondb` })
      .catch((error: unknown) => (error instanceof VendorError ? error.failure : error));

    expect(accepted).toBe(expected);
  });
});

async function resetPassword({ accessToken }: ProviderAccess, projectId: string): Promise<void> {
  const headers = { authorization: `Bearer ${accessToken}` };
  const branchesUrl = `${vendor.url}${PREFIX}/projects/${projectId}/branches`;
  const { branches } = (await (await fetch(branchesUrl, { headers })).json()) as {
    branches: { id: string }[];
  };
  const roleUrl = `${branchesUrl}/${branches[0]?.id}/roles/neondb_owner`;
  const reset = await fetch(`${roleUrl}/reset_password`, { method: "POST", headers });
  const { operations } = (await reset.json()) as { operations: { id: string }[] };
  const operationUrl = `${vendor.url}${PREFIX}/projects/${projectId}/operations/${operations[0]?.id}`;
  const statusOf = async () => Object(await (await fetch(operationUrl, { headers })).json());
  await expect.poll(statusOf).toMatchObject({ operation: { status: "finished" } });
}

/** Starts a server in the place of Neon's proxy. Returns its port. */
async function startPostgresProxy(answer: (socket: Socket, isTlsRequest: boolean) => void): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => answer(socket, data.length === 8));
  });
  tcpServers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** An error in PostgreSQL's wire format. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("response about a different object", () => {
  it.each([
    ["name", (text: string) => text.replace(/"name":"svc-/, '"name":"other-')],
    ["region", (text: string) => text.replace("aws-eu-central-1", "aws-us-east-1")],
    ["organization", (text: string) => text.replace(/"org_id":"/, '"org_id":"x')],
    ["version", (text: string) => text.replace('"pg_version":17', '"pg_version":18')],
    ["project id in an operation", (text: string) => text.replace(/("operations":.*?"project_id":")/, "$1x")],
    ["form of an id", (text: string) => text.replace(/"id":"/, '"id":"../')],
  ])("provision: unknown, with a different %s", async (_what, tamper) => {
    const { access, ordered } = arrange({ config: { pg_version: 17 } });
    const tampered = await providerWith((text, at) => (at.startsWith("POST") ? tamper(text) : text));

    await expect(tampered.provision(access, ordered)).rejects.toMatchObject({
      failure: "unknown",
      operation: "createProject",
    });

    const found = await neon.find(access, ordered.resourceName);
    created.push({ access, projectId: found?.resourceId ?? "" });
    expect(found).toBeDefined();
  });

  it("inspect, readEnv, find and deprovision: unknown", async () => {
    const project = await arrangeProject();
    const { access, ordered, resourceId } = project;
    const tampered = await providerWith((text) => text.replaceAll(`"id":"${resourceId}"`, '"id":"another"'));
    const operations = await providerWith((text) => text.replace(/"project_id":"/, '"project_id":"x'));

    const unknown = { failure: "unknown" };
    await expect(tampered.inspect(access, resourceId)).rejects.toMatchObject(unknown);
    await expect(envOf(tampered, project)).rejects.toMatchObject(unknown);
    await expect(operations.find(access, ordered.resourceName)).rejects.toMatchObject(unknown);
    await expect(tampered.deprovision(access, resourceId)).rejects.toMatchObject(unknown);
  });

  it("find: returns undefined if the project belongs to another organization", async () => {
    const { access, ordered } = await arrangeProject();
    const tampered = await providerWith((text) => text.replaceAll('"org_id":"', '"org_id":"x'));

    expect(await tampered.find(access, ordered.resourceName)).toBeUndefined();
  });

  it("readEnv: unknown", async () => {
    const project = await arrangeProject();
    const tampered = await providerWith((text, at) =>
      at.includes("pooled=true") ? text.replace("neondb_owner", "eve") : text,
    );

    await expect(envOf(tampered, project)).rejects.toMatchObject({
      failure: "unknown",
      operation: "getConnectionURI",
    });
  });
});

describe("Neon simulator", () => {
  const PROJECT = { name: "svc-wrong", org_id: "org-alice" };

  /**
   * A simulator without request validation against Neon's API description, so that invalid requests reach the
   * simulator.
   */
  let unvalidated: typeof vendor;
  beforeAll(async () => {
    unvalidated = await startTestVendor(neonSimulator({ adminUrl }), { contract: null });
  });
  afterAll(() => unvalidated.close());

  function send(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(unvalidated.url + PREFIX + path, {
      ...init,
      headers: {
        authorization: "Bearer sandbox-alice",
        "content-type": "application/json",
        ...init.headers,
      },
    });
  }

  it.each([
    ["a missing field", {}],
    ["a field of the wrong type", { project: { ...PROJECT, pg_version: "17" } }],
    ["an unsupported version", { project: { ...PROJECT, pg_version: 13 } }],
    ["an unknown region", { project: { ...PROJECT, region_id: "mars-north-1" } }],
    ["an unknown field", { project: { ...PROJECT, plan: "free" } }],
    ["an unknown field next to the project", { project: PROJECT, dry_run: true }],
    ["an empty name", { project: { ...PROJECT, name: "" } }],
    ["no organization", { project: { name: "svc-wrong" } }],
  ])("400: createProject with %s", async (_what, body) => {
    const response = await send("/projects", { method: "POST", body: JSON.stringify(body) });

    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      request_id: expect.any(String),
      code: "",
      message: expect.stringMatching(/./),
    });
    expect(await unvalidated.context.objects.list("project")).toEqual([]);
  });

  it("401: invalid API keys", async () => {
    for (const authorization of ["", "Bearer ", "Bearer napi_x", "Basic sandbox-alice"]) {
      const response = await send("/users/me", { headers: { authorization } });

      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        message: "supplied credentials do not pass authentication",
      });
    }
  });

  it("404: unknown projects and paths", async () => {
    for (const path of ["/projects/calm-lake-00000000", "/nothing"]) {
      expect((await send(path)).status).toBe(404);
    }
  });

  it("stores a project's password as a secret", async () => {
    const { resourceId } = await arrangeProject();

    const { secret, ...shown } = (await vendor.context.objects.find("project", resourceId))?.data ?? {};

    expect(secret).toEqual({ password: expect.any(String) });
    expect(JSON.stringify(shown)).not.toContain("npg_");
  });

  it("the adapter's requests match Neon's API description", () => {
    const adapters = vendor.requests.list().filter(({ headers }) => headers["user-agent"]?.includes("purser/"));

    expect(adapters.length).toBeGreaterThan(20);
    expect(adapters.filter(({ valid }) => valid === false)).toEqual([]);
    expect(adapters.filter(({ status }) => status === 599)).toEqual([]);
  });
});
