import { startService } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";
import { redact } from "../foundation/redact.ts";

try {
  const config = readConfig(process.env);
  const service = await startService(config);
  process.stdout.write(`${JSON.stringify({ url: service.url, pid: process.pid })}\n`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // Workflows that have not ended by then are continued by other processes.
    setTimeout(() => process.exit(1), config.timeouts.drainMs).unref();
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(describe(error));
  // A store that was opened before the start failed would keep the process alive.
  process.exit(1);
}

function describe(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message;
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
