import { type AppOverrides, type EmbeddedPostgresOptions, start } from "../src/start.ts";

/**
 * Starts a server in a process of its own, which tests kill, or run as another user. Its one argument is a
 * `ChildCommand`; it tells its parent what happens as `ChildReport`s, and stops the server when its parent says "stop".
 */
export interface ChildCommand {
  readonly options: Omit<EmbeddedPostgresOptions, "onProgress">;
  readonly surroundings: AppOverrides;
}

export interface ChildReport {
  readonly progress?: string;
  readonly started?: { pid: number; port: number; outcome: string; url: string };
  readonly failed?: { code: unknown; message: string };
}

const { options, surroundings }: ChildCommand = JSON.parse(process.argv[2] ?? "");
const tell = (report: ChildReport) => process.send?.(report);

try {
  const onProgress = (progress: string) => tell({ progress });
  const server = await start({ ...options, onProgress }, surroundings);
  const { pid, port, outcome } = server;
  tell({ started: { pid, port, outcome, url: server.url("postgres") } });
  process.on("message", () => {
    void server.stop().then(() => process.disconnect());
  });
} catch (thrown) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  tell({ failed: { code: "code" in error ? error.code : undefined, message: error.stack ?? "" } });
  process.disconnect();
}
