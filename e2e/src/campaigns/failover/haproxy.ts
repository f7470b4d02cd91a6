import type { ChildProcess } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cluster } from "./patroni.ts";
import { startProgram } from "./programs.ts";

/**
 * Starts HAProxy, which leads connections to the PostgreSQL server that is the primary, as Patroni says, and to the API
 * processes that respond. It closes the connections of a server that is no longer the primary.
 */
export async function startProxy(
  folder: string,
  {
    nodes,
    apiPorts,
    ports,
  }: { nodes: Cluster["nodes"]; apiPorts: readonly number[]; ports: Record<"postgres" | "api", number> },
): Promise<ChildProcess> {
  const servers = nodes.map(
    ({ name, port, restPort }) =>
      `server ${name} 127.0.0.1:${port} check port ${restPort} on-marked-down shutdown-sessions`,
  );
  const configuration = `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s
  default-server inter 500ms fall 2 rise 1
listen postgres
  bind 127.0.0.1:${ports.postgres}
  option httpchk OPTIONS /primary
  ${servers.join("\n  ")}
listen api
  bind 127.0.0.1:${ports.api}
  option httpchk GET /healthz
  option redispatch 1
  ${apiPorts.map((port) => `server api${port} 127.0.0.1:${port} check`).join("\n  ")}
`;
  const path = join(folder, "haproxy.cfg");
  await writeFile(path, configuration);
  return startProgram("haproxy", ["-q", "-f", path]);
}
