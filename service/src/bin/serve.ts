import { startService } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";
import { AppError } from "../foundation/errors.ts";
import { redact } from "../foundation/redact.ts";
import { describeForOperator } from "./command-line.ts";

try {
  const config = readConfig(process.env);
  const service = await startService(config);
  process.stdout.write(`${JSON.stringify({ url: service.url, metricsUrl: service.metricsUrl, pid: process.pid })}\n`);

  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    // Exits after the timeout even if workflows are still running: other processes continue them.
    setTimeout(() => process.exit(1), config.timeouts.drainMs).unref();
    service.close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
} catch (error) {
  // A fault of the program has a stack.
  const isFault =
    error instanceof Error && !(error instanceof ConfigError || error instanceof AppError) && !isOutside(error);
  console.error(isFault ? redact(error.stack) : describeForOperator(error));
  // Exits explicitly, because connections that were opened before the startup failed would keep the process running.
  process.exit(1);
}

/** An error of the system or of PostgreSQL. */
function isOutside(error: Error): boolean {
  return "syscall" in error || "severity" in error;
}
