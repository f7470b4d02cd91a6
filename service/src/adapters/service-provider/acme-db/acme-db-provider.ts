import { type Static, Type } from "typebox";
import type {
  NamedResource,
  ProviderAccess,
  ProviderEnv,
  ProviderResource,
  ProvisionRequest,
  ServiceProvider,
} from "../../../ports/service-provider.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import { createProviderClients, pathOf, type VendorClient } from "../../http-client/vendor-client.ts";

import catalogEntry from "./catalog.json" with { type: "json" };

const VENDOR = "acme-db";
const POLL_AFTER_MS = 500;
const EXPECTED_SECONDS = 1;

const Database = Type.Object({
  // Ids are validated because they are used as path segments and stored in the database.
  id: Type.String({ pattern: "^[a-z0-9-]{1,60}$" }),
  name: Type.String(),
  plan: Type.String(),
  state: Type.Enum(["starting", "ready", "failed"]),
});
const Databases = Type.Object({ databases: Type.Array(Database) });
const Account = Type.Object({ id: Type.String({ minLength: 1 }) });
const Credentials = Type.Object({ url: Type.String({ pattern: "^postgresql://" }) });
const Rotated = Type.Object({
  ...Credentials.properties,
  mode: Type.Enum(["overlap", "immediate"]),
});
const Changed = Type.Object({ id: Type.String() });

export interface AcmeDbOptions {
  /** The simulator's URL, without a trailing slash. There is no real Acme DB. */
  readonly apiUrl: string;
  /** Timeout for one call in milliseconds. Default: 10,000. */
  readonly timeoutMs?: number;
}

/**
 * Acme DB, a fictional database provider that can simulate failures. A service's config selects the step that fails
 * (see `simulators/src/acme-db`). Accounts are linked with a pasted token.
 */
export function createAcmeDbProvider({ apiUrl, timeoutMs }: AcmeDbOptions): ServiceProvider {
  const { requestClient, client } = createProviderClients({ vendor: VENDOR, baseUrl: apiUrl, timeoutMs });
  return {
    provider: VENDOR,
    oauth: null,
    needsPassword: false,
    isRotationIdempotent: true,
    canAdopt: false,
    catalogEntry,
    tokenPageUrl: `${apiUrl}/tokens`,
    sandboxToken: "sandbox-ada",
    identify: async (accessToken) => {
      const { id } = await requestClient.call({
        operation: "getAccount",
        method: "GET",
        path: "/v1/account",
        headers: authorization(accessToken),
        schema: Account,
      });
      return { accountId: id, label: id };
    },
    provision: (access, order) => provision(client, access, order),
    find: (access, resourceName) => find(client, access, resourceName),
    list: (access, prefix) => list(client, access, prefix),
    inspect: async (access, resourceId) => resourceOf(await readDatabase(client, access, resourceId)),
    readEnv: async (access, { resourceId }) => {
      const { url } = await client.call({
        operation: "getDatabaseCredentials",
        method: "GET",
        path: pathOf`/v1/databases/${resourceId}/credentials`,
        headers: authorization(access.accessToken),
        schema: Credentials,
      });
      return { DATABASE_URL: url };
    },
    changePlan: (access, change) => changePlan(client, access, change),
    rotate: async ({ accessToken }, { resourceId, rotationId }) => {
      const { url, mode } = await client.call({
        operation: "rotatePassword",
        method: "POST",
        path: pathOf`/v1/databases/${resourceId}/rotations`,
        headers: authorization(accessToken),
        body: { rotation_id: rotationId },
        schema: Rotated,
      });
      return { env: { DATABASE_URL: url }, mode };
    },
    retire: async ({ accessToken }, { resourceId, former }) => {
      const { password } = loginOf(former);
      await client.call({
        operation: "retirePassword",
        method: "POST",
        path: pathOf`/v1/databases/${resourceId}/retirements`,
        headers: authorization(accessToken),
        body: { password },
        secrets: [password],
        schema: Changed,
      });
    },
    checkEnv: (env) => openSession(client, env),
    deprovision: (access, resourceId) => deprovision(client, access, resourceId),
  };
}

function authorization(accessToken: string): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${accessToken}` };
}

async function provision(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  { resourceName: name, region, plan, config: drill }: ProvisionRequest,
): Promise<ProviderResource> {
  const operation = "createDatabase";
  const database = await client.call({
    operation,
    method: "POST",
    path: "/v1/databases",
    headers: authorization(accessToken),
    body: { name, region, plan, drill },
    schema: Database,
  });
  if (database.name === name) return resourceOf(database);
  const vendorMessage = "the response describes a different object";
  throw new VendorError("unknown", { vendor: VENDOR, operation, vendorMessage });
}

async function readDatabase(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  resourceId: string,
): Promise<Static<typeof Database>> {
  return client.call({
    operation: "getDatabase",
    method: "GET",
    path: pathOf`/v1/databases/${resourceId}`,
    headers: authorization(accessToken),
    schema: Database,
  });
}

async function changePlan(
  client: VendorClient,
  access: ProviderAccess,
  { resourceId, plan, from }: Parameters<NonNullable<ServiceProvider["changePlan"]>>[1],
): Promise<ProviderResource> {
  const database = await readDatabase(client, access, resourceId);
  if (database.plan === plan || (from !== undefined && database.plan !== from)) {
    return resourceOf(database);
  }
  const changed = await client.call({
    operation: "updateDatabase",
    method: "PATCH",
    path: pathOf`/v1/databases/${resourceId}`,
    headers: authorization(access.accessToken),
    body: { plan },
    schema: Database,
  });
  return resourceOf(changed);
}

async function find(client: VendorClient, access: ProviderAccess, name: string): Promise<ProviderResource | undefined> {
  const databases = await listDatabases(client, access, { name });
  const database = databases.find((candidate) => candidate.name === name);
  return database && resourceOf(database);
}

async function list(client: VendorClient, access: ProviderAccess, prefix: string): Promise<readonly NamedResource[]> {
  const databases = await listDatabases(client, access, {});
  return databases.filter(({ name }) => name.startsWith(prefix)).map(({ id, name }) => ({ resourceId: id, name }));
}

async function listDatabases(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  query: { readonly name?: string },
): Promise<readonly Static<typeof Database>[]> {
  const { databases } = await client.call({
    operation: "listDatabases",
    method: "GET",
    path: "/v1/databases",
    query,
    headers: authorization(accessToken),
    schema: Databases,
  });
  return databases;
}

async function deprovision(client: VendorClient, { accessToken }: ProviderAccess, resourceId: string): Promise<void> {
  try {
    await client.call({
      operation: "deleteDatabase",
      method: "DELETE",
      path: pathOf`/v1/databases/${resourceId}`,
      headers: authorization(accessToken),
      schema: Changed,
    });
  } catch (error) {
    if (error instanceof VendorError && error.failure === "not_found") return;
    throw error;
  }
}

/** Returns whether the database accepts the credentials. */
async function openSession(client: VendorClient, env: ProviderEnv): Promise<boolean> {
  const { database, user, password } = loginOf(env);
  const credentials = Buffer.from(`${user}:${password}`).toString("base64");
  try {
    await client.call({
      operation: "openSession",
      method: "POST",
      path: pathOf`/v1/databases/${database}/sessions`,
      headers: { authorization: `Basic ${credentials}` },
      secrets: [password],
      schema: Changed,
    });
    return true;
  } catch (error) {
    if (error instanceof VendorError && error.failure === "unauthorized") return false;
    throw error;
  }
}

function loginOf({ DATABASE_URL: url = "" }: ProviderEnv) {
  const { hostname, username, password } = new URL(url);
  const [database = ""] = hostname.split(".");
  return { database, user: username, password };
}

function resourceOf({ id: resourceId, state }: Static<typeof Database>): ProviderResource {
  switch (state) {
    case "ready":
      return { status: "ready", resourceId };
    case "starting":
      return {
        status: "pending",
        resourceId,
        pollAfterMs: POLL_AFTER_MS,
        expectedSeconds: EXPECTED_SECONDS,
      };
    case "failed":
      return { status: "failed", resourceId, reason: "the database did not start" };
  }
}
