import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { NotFoundError, Purser } from "@purser/sdk";
import { createProgress } from "../progress.ts";
import { startLocal } from "../start-local.ts";
import { addServices } from "./add-services.ts";
import { expectRefusal, selectOne } from "./database-login.ts";
import { linkProviders } from "./link-providers.ts";
import { maskedEnv } from "./masked-env.ts";
import { refuseFlippedByte } from "./refuse-flipped-byte.ts";
import { type Credentials, signUpToFirstKey } from "./sign-up-to-first-key.ts";
import { createSteps, type Steps } from "./steps.ts";

const GONE_ASKS_MAX = 50;
const GONE_ASK_MS = 200;

/**
 * A developer's whole journey over the product as `npm start` runs it, in a folder of its own that is removed at the end:
 * from signup over linked providers and services to an environment that the client checks, and the end of all of it.
 */
export async function runDemo(write: (text: string) => void): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-demo-"));
  // PostgreSQL runs as somebody else where this runs as root, and has to get in.
  await chmod(dataDir, 0o711);
  const steps = createSteps(write);
  const purser = await steps.do("Start the product", async () => ({
    result: await startLocal({ dataDir, port: 0, progress: createProgress(() => {}) }),
    told: "a database, a mailbox, three vendors and the service, in an empty folder",
  }));
  try {
    const credentials = await signUpToFirstKey(purser, steps);
    await projectToItsEnd(credentials, steps);
  } finally {
    await purser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  steps.summary();
}

async function projectToItsEnd(credentials: Credentials, steps: Steps): Promise<void> {
  const client = new Purser(credentials);
  const projectId = await createProject(client, steps);
  await linkProviders(client, projectId, steps);
  const postgres = await addServices(client, projectId, steps);
  const databaseUrl = await pullEnvironment(client, credentials, projectId, steps);

  await steps.do("Query through DATABASE_URL", async () => ({
    result: await selectOne(databaseUrl),
    told: "select 1, on a real database",
  }));
  await steps.do("Remove the Postgres", async () => {
    const removed = await client.projects.services.remove(projectId, postgres.service_id);
    await client.projects.operations.waitFor(removed.operation);
    return { result: removed, told: `${removed.effect}: ${await expectRefusal(databaseUrl)}` };
  });
  await steps.do("Verify the audit trail", async () => {
    const found = await client.audit.verify();
    if (found.valid !== true) throw new Error("The audit trail does not verify.");
    return { result: found, told: `${found.entries_checked} entries, one chain` };
  });
  await deleteProject(client, projectId, steps);
}

async function createProject(client: Purser, steps: Steps): Promise<string> {
  const project = await steps.do("Create a project", async () => {
    const made = await client.projects.create({ name: "My App", monthly_cap: "50.00" });
    return {
      result: made,
      told: `${made.project_id}, at most ${made.monthly_cap} ${made.currency} a month`,
    };
  });
  const projectId = project.project_id;
  await steps.do("Set two variables", async () => {
    await client.projects.variables.set(projectId, "GREETING", { value: "hello" });
    const token = await client.projects.variables.set(projectId, "API_TOKEN", {
      value: randomBytes(24).toString("base64url"),
      sensitive: true,
    });
    return { result: token, told: "GREETING and API_TOKEN, sealed under the developer's key" };
  });
  await steps.do("Attach a card", async () => {
    const card = { payment_method_id: "pm_card_visa" };
    const attached = await client.projects.billing.attachPaymentMethod(projectId, card);
    const { brand, last4 } = attached.payment_method;
    return { result: attached, told: `${brand} ending in ${last4}` };
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
    return { result: pulled, told: `signature and fingerprint good:\n${listed(pulled.env)}` };
  });
  await steps.do("Flip one byte of it", async () => ({
    result: await refuseFlippedByte(credentials, projectId),
    told: "noticed by the client",
  }));
  return bundle.env["DATABASE_URL"] ?? "";
}

function listed(env: Readonly<Record<string, string>>): string {
  return Object.entries(env)
    .map(([name, value]) => `     ${maskedEnv({ [name]: value })}`)
    .join("\n");
}

async function deleteProject(client: Purser, projectId: string, steps: Steps): Promise<void> {
  await steps.do("Delete the project", async () => {
    const answer = await client.projects.delete(projectId);
    const effects = answer.services.map(({ effect }) => effect);
    return { result: answer, told: `${answer.status}, its services: ${effects.join(", ")}` };
  });
  await steps.do("Ask for it until it is gone", async () => {
    const refusal = await untilGone(client, projectId);
    return { result: refusal, told: `${refusal.status} ${refusal.code}` };
  });
}

async function untilGone(client: Purser, projectId: string): Promise<NotFoundError> {
  for (let asked = 0; asked < GONE_ASKS_MAX; asked += 1) {
    const found = await client.projects.get(projectId).catch((error: unknown) => error);
    if (found instanceof NotFoundError) return found;
    if (found instanceof Error) throw found;
    await delay(GONE_ASK_MS);
  }
  throw new Error("The project is still there.");
}
