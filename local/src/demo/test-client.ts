import { Purser } from "@purser/sdk";
import type { DemoContext } from "./run-demo.ts";

/** Creates a test key pair of the developer. Wallets have test tokens in test mode only. */
export async function createTestClient({
  credentials,
  steps,
}: Pick<DemoContext, "credentials" | "steps">): Promise<Purser> {
  const pair = await steps.do("Create a test key pair", async () => {
    const { keys } = new Purser(credentials).developers;
    const issued = await keys.issue({ name: "test", mode: "test" });
    return { result: issued, message: `${issued.key_prefix}${issued.key_hint}` };
  });
  return clientOf(credentials.baseUrl, pair);
}

export function clientOf(
  baseUrl: string,
  { api_key: apiKey, api_secret: apiSecret }: { readonly api_key: string; readonly api_secret: string | null },
): Purser {
  return new Purser({ baseUrl, apiKey, apiSecret: apiSecret ?? "" });
}
