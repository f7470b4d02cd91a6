export const ANSWER_BYTES_MAX = 1_048_576;

/** The platform's `fetch`, following no redirect. Reading an answer of more than 1 MiB fails, and its rest is not waited for. */
export async function boundedFetch(
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  if (response.body === null) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_BYTES_MAX) throw new Error("The answer is longer than a mebibyte.");
      controller.enqueue(chunk);
    },
  });
  const { status, headers } = response;
  return new Response(response.body.pipeThrough(bound), { status, headers });
}
