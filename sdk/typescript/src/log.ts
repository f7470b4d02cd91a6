import { stderr } from "node:process";

export type LogLevel = "debug" | "info" | "warn" | "off";

export type LogFacts = Readonly<Record<string, unknown>>;

/** Where the SDK tells what it does. Secrets, signatures and bodies are never among the facts. */
export interface Logger {
  debug(message: string, facts?: LogFacts): void;
  info(message: string, facts?: LogFacts): void;
  warn(message: string, facts?: LogFacts): void;
}

const LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "off"];

const HIDDEN_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "x-request-signature",
  "cookie",
]);

/** Standard output belongs to the program that uses us, so the lines go to standard error. */
export const stderrLogger: Logger = {
  debug: (message, facts) => write("debug", message, facts),
  info: (message, facts) => write("info", message, facts),
  warn: (message, facts) => write("warn", message, facts),
};

export function isLogLevel(text: string): text is LogLevel {
  return LEVELS.some((level) => level === text);
}

/** A logger that drops what is below `level`. */
export function atLevel(level: LogLevel, logger: Logger): Logger {
  const from = LEVELS.indexOf(level);
  const drop = () => undefined;
  return {
    debug: from <= 0 ? (message, facts) => logger.debug(message, facts) : drop,
    info: from <= 1 ? (message, facts) => logger.info(message, facts) : drop,
    warn: from <= 2 ? (message, facts) => logger.warn(message, facts) : drop,
  };
}

/** Headers as a log may show them. */
export function loggable(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, HIDDEN_HEADERS.has(name) ? "[redacted]" : value]),
  );
}

function write(level: LogLevel, message: string, facts?: LogFacts): void {
  stderr.write(`purser ${level}: ${message}${facts ? ` ${JSON.stringify(facts)}` : ""}\n`);
}
