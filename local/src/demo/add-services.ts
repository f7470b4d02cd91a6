import type { Purser, Service } from "@purser/sdk";
import { maskedEnv } from "./masked-env.ts";
import type { Steps } from "./steps.ts";

/**
 * Adds a Neon database, which is ready immediately, and a Supabase project, which takes longer. Returns the Neon
 * service.
 */
export async function addServices(client: Purser, projectId: string, steps: Steps): Promise<Service> {
  const { services, operations } = client.projects;
  const postgres = await steps.do("Add a Neon database", async () => {
    const added = await services.add(projectId, { service: "neon/postgres", plan: "launch" });
    // On a busy machine, the response can arrive before the operation has ended.
    await operations.waitFor(added.operation);
    return { result: added.service, message: maskedEnv(added.env ?? {}) };
  });
  const backend = await steps.do("Add a Supabase project", async () => {
    const order = { service: "supabase/project", name: "backend", plan: "pro" };
    const added = await services.add(projectId, order);
    const { expected_callback_seconds: seconds } = added;
    return { result: added, message: `in progress, expected within ${seconds} s` };
  });
  await steps.do("Wait until it is ready", async () => {
    let reads = 0;
    const operation = await operations.waitFor(backend.operation, {
      onProgress: () => {
        reads += 1;
      },
    });
    const succeeded = operation.steps.filter(({ status }) => status === "succeeded");
    return { result: operation, message: `${succeeded.length} steps succeeded, ${reads} polls` };
  });
  return postgres;
}
