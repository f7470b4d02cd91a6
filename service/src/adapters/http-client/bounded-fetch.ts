const RESPONSE_BYTES_MAX = 1_048_576;

export class ResponseTooLongError extends Error {
  override readonly name = "ResponseTooLongError";
}

/** Calls `fetch` without following redirects. Reading a longer response fails and closes the connection. Default: 1 MiB. */
export async function boundedFetch(
  input: string | URL | Request,
  init?: RequestInit,
  bytesMax = RESPONSE_BYTES_MAX,
): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: "manual" });
  const { status, headers } = response;
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  // Such a body cannot be longer (RFC 9112, section 6.3).
  const isBounded = length !== null && Number(length) <= bytesMax;
  if (response.body === null || isBounded) return response;
  let bytes = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new ResponseTooLongError(`The response is longer than ${bytesMax} bytes.`);
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(bound), { status, headers });
}
