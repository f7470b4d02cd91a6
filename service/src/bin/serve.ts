import { startService } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";
import { redact } from "../foundation/redact.ts";

/** How long a drain may take before the process goes all the same. */
const DRAIN_MS = 25_000;

try {
  const service = await startService(readConfig(process.env));
  process.stdout.write(`${JSON.stringify({ url: service.url, pid: process.pid })}\n`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), DRAIN_MS).unref();
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  console.error(describe(error));
  // A store that was opened before the start failed would keep the process alive for ever.
  process.exit(1);
}

function describe(error: unknown): string | undefined {
  if (error instanceof ConfigError) return error.message;
  return redact(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
