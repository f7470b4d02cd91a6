import { Purser, type PurserOptions, SignatureVerificationError } from "@purser/sdk";

/** Pulls the environment over a wire that flips one bit of the body, and throws unless the client refuses what arrives. */
export async function refuseFlippedByte(
  credentials: PurserOptions,
  projectId: string,
): Promise<void> {
  const client = new Purser({ ...credentials, fetch: flippingFetch });
  try {
    await client.projects.env.pull(projectId);
  } catch (error) {
    if (error instanceof SignatureVerificationError) return;
    throw error;
  }
  throw new Error("The client took an environment that was changed on its way.");
}

const flippingFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  return new Response(bytes, { status: answer.status, headers: answer.headers });
};
