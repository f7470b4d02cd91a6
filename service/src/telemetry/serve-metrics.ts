import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { App } from "../app.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { type MetricsOptions, startMetrics } from "./metrics.ts";

export interface MetricsServer {
  /** The URL of the metrics. */
  readonly url: string;
  close(): Promise<void>;
}

/** Counts what this process does, and serves it as `GET /metrics` on a port of its own. */
export async function serveMetrics(
  app: Pick<App, "db" | "piiDb" | "clock" | "log">,
  { host, port, ...options }: { readonly host: string; readonly port: number } & MetricsOptions,
): Promise<MetricsServer> {
  const metrics = startMetrics(app, options);
  const server = createServer(({ method, url }, response) => {
    if (method !== "GET" || url !== "/metrics") return answer(response, 404, "Only GET /metrics is served here.\n");
    metrics.read().then(
      (text) => answer(response, 200, text),
      (error: unknown) => {
        app.log.error({ message: redactedMessage(error) }, "could not read the metrics");
        answer(response, 500, "The metrics could not be read.\n");
      },
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, host, resolve);
  });
  const { family, address, port: listening } = server.address() as AddressInfo;
  return {
    url: `http://${family === "IPv6" ? `[${address}]` : address}:${listening}/metrics`,
    close: async () => {
      metrics.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" }).end(text);
}
