import { startService } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";

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
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
