export type LogLevel = "debug" | "info" | "warn" | "off";

export type LogFacts = Readonly<Record<string, unknown>>;

/** Receives the SDK's log messages. `facts` never contains secrets, signatures or bodies. */
export interface Logger {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "off"];

const REDACTED_HEADERS: ReadonlySet<string> = new Set(["authorization", "x-request-signature", "cookie"]);

/** `console.error` writes to standard error. The program that uses the SDK may write data to standard output. */
export const consoleLogger: Logger = {
  debug: (message, facts) => write("debug", message, facts),
  info: (message, facts) => write("info", message, facts),
  warn: (message, facts) => write("warn", message, facts),
};

export function isLogLevel(text: string): text is LogLevel {
  return LEVELS.some((level) => level === text);
}

/** A logger whose facts of the lowest level are computed only if they are logged. */
export interface FilteredLogger extends Omit<Logger, "debug"> {
  debug(message: string, facts: () => LogFacts): void;
}

/** Returns a logger that drops messages below `level`. */
export function filterByLevel(level: LogLevel, logger: Logger): FilteredLogger {
  const from = LEVELS.indexOf(level);
  const drop = () => undefined;
  return {
    debug: from <= 0 ? (message, facts) => logger.debug(message, facts()) : drop,
    info: from <= 1 ? (message, facts) => logger.info(message, facts) : drop,
    warn: from <= 2 ? (message, facts) => logger.warn(message, facts) : drop,
  };
}

/** Replaces the values of headers that contain secrets. */
export function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, REDACTED_HEADERS.has(name) ? "[redacted]" : value]),
  );
}

function write(level: LogLevel, message: string, facts?: LogFacts): void {
  // biome-ignore lint/suspicious/noConsole: see above.
  console.error(`purser ${level}: ${message}${facts ? ` ${JSON.stringify(facts)}` : ""}`);
}
