import { type EmbeddedPostgresOptions, type InstallPaths, start } from "../src/start.ts";

/**
 * This program is run by tests, which can kill it or run it as another user. It starts a server with the `ChildCommand`
 * from its argument, sends `ChildReport`s to its parent, and stops the server when its parent sends a message.
 */
export interface ChildCommand {
  readonly options: Omit<EmbeddedPostgresOptions, "onProgress">;
  readonly paths: InstallPaths;
}

export interface ChildReport {
  readonly progress?: string;
  readonly started?: { pid: number; port: number; outcome: string; url: string };
  readonly failed?: { code: unknown; message: string };
}

const { options, paths }: ChildCommand = JSON.parse(process.argv[2] ?? "");
const send = (report: ChildReport) => process.send?.(report);

try {
  const onProgress = (progress: string) => send({ progress });
  const server = await start({ ...options, onProgress }, paths);
  const { pid, port, outcome } = server;
  send({ started: { pid, port, outcome, url: server.url("postgres") } });
  process.on("message", () => {
    void server.stop().then(() => process.disconnect());
  });
} catch (thrown) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  send({ failed: { code: "code" in error ? error.code : undefined, message: error.stack ?? "" } });
  process.disconnect();
}
