import type { Purser, Service } from "@purser/sdk";
import { maskedEnv } from "./masked-env.ts";
import type { Steps } from "./steps.ts";

/** Adds a Postgres of Neon's, which is there at once, and a Supabase project, which takes its time. Answers the Postgres. */
export async function addServices(
  client: Purser,
  projectId: string,
  steps: Steps,
): Promise<Service> {
  const { services, operations } = client.projects;
  const postgres = await steps.do("Add a Postgres of Neon's", async () => {
    const added = await services.add(projectId, { service: "neon/postgres", plan: "launch" });
    // There at once, but for a machine so busy that the answer did not wait for it.
    await operations.waitFor(added.operation);
    return { result: added.service, told: maskedEnv(added.env ?? {}) };
  });
  const backend = await steps.do("Add a Supabase project", async () => {
    const order = { service: "supabase/project", name: "backend", plan: "pro" };
    const added = await services.add(projectId, order);
    const { expected_callback_seconds: seconds } = added;
    return { result: added, told: `under way, expected within ${seconds} s` };
  });
  await steps.do("Wait until it has come up", async () => {
    let reads = 0;
    const operation = await operations.waitFor(backend.operation, {
      onProgress: () => {
        reads += 1;
      },
    });
    const passed = operation.steps.filter(({ status }) => status === "succeeded");
    return { result: operation, told: `${passed.length} steps passed, asked ${reads} times` };
  });
  return postgres;
}
