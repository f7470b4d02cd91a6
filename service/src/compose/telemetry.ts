import type { App } from "../app.ts";
import type { Config } from "../config.ts";
import { observedPort } from "./observed-port.ts";

export interface Telemetry {
  /** Where the metrics are. Null if they are not served. */
  readonly metricsUrl: string | null;
  close(): Promise<void>;
}

/** Starts what the operator has configured. Imported on demand, because imports take most of the startup time. */
export async function startTelemetry(app: App, { metrics, traces, instanceId }: Config): Promise<Telemetry> {
  const metricsServer =
    metrics.port === null
      ? undefined
      : await (await import("../telemetry/serve-metrics.ts")).serveMetrics(app, { ...metrics, port: metrics.port });
  const { endpoint, ratio } = traces;
  const tracing =
    endpoint === null
      ? undefined
      : (await import("../telemetry/start-traces.ts")).startTraces({ endpoint, ratio, instanceId });
  return {
    metricsUrl: metricsServer?.url ?? null,
    close: async () => {
      await metricsServer?.close();
      await tracing?.close();
    },
  };
}

/** Returns the app with its stores and vendors that do not report their calls themselves. */
export function withObservedPorts(app: App, { redisUrl }: Pick<Config, "redisUrl">): App {
  const vendor = (name: string) => ({ kind: "vendor call", facts: { "purser.vendor": name } }) as const;
  const store = redisUrl === null ? "memory" : "redis";
  return {
    ...app,
    fastState: observedPort(app.fastState, { kind: "fast state call", facts: { "purser.store": store } }),
    mailer: observedPort(app.mailer, vendor("mail-server")),
    auditAnchor: observedPort(app.auditAnchor, vendor("audit-anchor")),
    keyEncryptionKey: observedPort(app.keyEncryptionKey, vendor("key-encryption-key")),
  };
}
