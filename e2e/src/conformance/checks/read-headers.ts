import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage } from "node:http";
import { PREFIX } from "../../signed-client.ts";

const STARTED = "http.server.request.start";

/** Records the request headers that the server reads during API calls. The server must run in this process. */
export function recordReadHeaders(): { readonly names: ReadonlySet<string>; stop(): void } {
  const names = new Set<string>();
  const recording = (headers: IncomingMessage["headers"]) =>
    new Proxy(headers, {
      get: (target, name, receiver) => {
        if (typeof name === "string") names.add(name);
        return Reflect.get(target, name, receiver);
      },
      has: (target, name) => {
        if (typeof name === "string") names.add(name);
        return Reflect.has(target, name);
      },
    });
  const onStart = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    if (!request.url?.startsWith(PREFIX)) return;
    Object.defineProperty(request, "headers", { value: recording(request.headers) });
  };
  subscribe(STARTED, onStart);
  return { names, stop: () => unsubscribe(STARTED, onStart) };
}
