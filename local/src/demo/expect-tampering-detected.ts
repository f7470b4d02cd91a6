import { Purser, type PurserOptions, SignatureVerificationError } from "@purser/sdk";

/** Pulls an environment and flips one bit of the response body. Throws unless the client rejects the response. */
export async function expectTamperingDetected(credentials: PurserOptions, projectId: string): Promise<void> {
  const client = new Purser({ ...credentials, fetch: tamperingFetch });
  try {
    await client.projects.env.pull(projectId);
  } catch (error) {
    if (error instanceof SignatureVerificationError) return;
    throw error;
  }
  throw new Error("The client accepted an environment that was changed in transit.");
}

const tamperingFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return new Response(bytes, { status: response.status, headers: response.headers });
};
