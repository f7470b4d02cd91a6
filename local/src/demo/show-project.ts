import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { NotFoundError, Purser } from "@purser/sdk";
import { addServices } from "./add-services.ts";
import { expectLoginRejected, selectOne } from "./database-login.ts";
import { expectTamperingDetected } from "./expect-tampering-detected.ts";
import { linkProviders } from "./link-providers.ts";
import { maskedEnv } from "./masked-env.ts";
import type { DemoContext } from "./run-demo.ts";
import type { Credentials } from "./sign-up.ts";
import type { Steps } from "./steps.ts";

const DELETE_POLLS_MAX = 50;
const DELETE_POLL_MS = 200;

/** Shows a project's life: linking providers, adding services, pulling an environment, and deletion. */
export async function showProject({ credentials, steps }: DemoContext): Promise<void> {
  const client = new Purser(credentials);
  const projectId = await createProject(client, steps);
  await linkProviders(client, projectId, steps);
  const postgres = await addServices(client, projectId, steps);
  const databaseUrl = await pullEnvironment(client, credentials, projectId, steps);

  await steps.do("Query through DATABASE_URL", async () => ({
    result: await selectOne(databaseUrl),
    message: "select 1, on a real database",
  }));
  await steps.do("Remove the database", async () => {
    const removed = await client.projects.services.remove(projectId, postgres.service_id);
    await client.projects.operations.waitFor(removed.operation);
    return {
      result: removed,
      message: `${removed.effect}: ${await expectLoginRejected(databaseUrl)}`,
    };
  });
  await steps.do("Verify the audit trail", async () => {
    const found = await client.audit.verify();
    if (found.valid !== true) throw new Error("The audit trail failed verification.");
    return { result: found, message: `${found.entries_checked} entries, one chain` };
  });
  await deleteProject(client, projectId, steps);
}

async function createProject(client: Purser, steps: Steps): Promise<string> {
  const project = await steps.do("Create a project", async () => {
    const made = await client.projects.create({ name: "My App", monthly_cap: "50.00" });
    return {
      result: made,
      message: `${made.project_id}, cap of ${made.monthly_cap} ${made.currency} per month`,
    };
  });
  const projectId = project.project_id;
  await steps.do("Set two variables", async () => {
    await client.projects.variables.set(projectId, "GREETING", { value: "hello" });
    const token = await client.projects.variables.set(projectId, "API_TOKEN", {
      value: randomBytes(24).toString("base64url"),
      sensitive: true,
    });
    return {
      result: token,
      message: "GREETING and API_TOKEN, encrypted with the developer's data key",
    };
  });
  await steps.do("Attach a card", async () => {
    const card = { payment_method_id: "pm_card_visa" };
    const attached = await client.projects.billing.attachPaymentMethod(projectId, card);
    const { brand, last4 } = attached.payment_method;
    return { result: attached, message: `${brand} ending in ${last4}` };
  });
  return projectId;
}

async function pullEnvironment(
  client: Purser,
  credentials: Credentials,
  projectId: string,
  steps: Steps,
): Promise<string> {
  const bundle = await steps.do("Pull the environment", async () => {
    const pulled = await client.projects.env.pull(projectId);
    return {
      result: pulled,
      message: `signature and fingerprint valid:\n${formatEnv(pulled.env)}`,
    };
  });
  await steps.do("Change one byte in transit", async () => ({
    result: await expectTamperingDetected(credentials, projectId),
    message: "rejected by the client",
  }));
  return bundle.env["DATABASE_URL"] ?? "";
}

function formatEnv(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `     ${maskedEnv({ [name]: value })}`)
    .join("\n");
}

async function deleteProject(client: Purser, projectId: string, steps: Steps): Promise<void> {
  await steps.do("Delete the project", async () => {
    const response = await client.projects.delete(projectId);
    const effects = response.services.map(({ effect }) => effect);
    return { result: response, message: `${response.status}, services: ${effects.join(", ")}` };
  });
  await steps.do("Wait until it is deleted", async () => {
    const error = await waitUntilDeleted(client, projectId);
    return { result: error, message: `${error.status} ${error.code}` };
  });
}

async function waitUntilDeleted(client: Purser, projectId: string): Promise<NotFoundError> {
  for (let polls = 0; polls < DELETE_POLLS_MAX; polls += 1) {
    const found = await client.projects.get(projectId).catch((error: unknown) => error);
    if (found instanceof NotFoundError) return found;
    if (found instanceof Error) throw found;
    await delay(DELETE_POLL_MS);
  }
  throw new Error("The project was not deleted in time.");
}
