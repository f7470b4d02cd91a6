import type { EnvBundle } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";

/** The formats of a file of variables. */
export const ENV_FORMATS = ["dotenv", "json", "shell", "docker", "k8s"] as const;
export type EnvFormat = (typeof ENV_FORMATS)[number];

/** A verified bundle. Only its names may be shown. */
export interface PulledEnv extends Pick<EnvBundle, "project_id" | "environment" | "fingerprint" | "env"> {
  /** Becomes the name of a Kubernetes Secret. Default: the project's id. */
  readonly projectSlug?: string;
}

interface Format {
  /** Returns a variable as the file has it, without the end of the line. */
  readonly entryOf: (name: string, value: string) => string;
  /** Matches exactly what `entryOf` can return. The first group is the name. */
  readonly entry: RegExp;
  /** Whether a file contains nothing but the variables. Other files can have lines before and after them. */
  readonly isWholeFile: boolean;
}

export const FORMATS: Readonly<Record<EnvFormat, Format>> = {
  // The same rule as the server's (docs/rules/env-bundles.md).
  dotenv: {
    entryOf: (name, value) =>
      value.includes("'") ? `${name}="${value.replaceAll(/[\\"$`]/g, "\\$&")}"` : `${name}='${value}'`,
    entry: /^([A-Za-z_]\w*)=(?:'[^']*'|"[^"\\]*(?:\\[\s\S][^"\\]*)*")$/,
    isWholeFile: false,
  },
  shell: {
    entryOf: (name, value) => `export ${name}='${value.replaceAll("'", "'\\''")}'`,
    entry: /^export ([A-Za-z_]\w*)='[^']*'(?:\\''[^']*')*$/,
    isWholeFile: false,
  },
  docker: {
    entryOf: (name, value) => `${name}=${value}`,
    entry: /^([A-Za-z_]\w*)=.*$/,
    isWholeFile: false,
  },
  json: {
    entryOf: (name, value) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
    entry: /^ {2}"([A-Za-z_]\w*)": "(?:\\.|[^"\\])*"$/,
    isWholeFile: true,
  },
  // The quotes prevent YAML from reading names such as NO, and values of digits only, as another type.
  k8s: {
    entryOf: (name, value) => `  "${name}": "${Buffer.from(value).toString("base64")}"`,
    entry: /^ {2}"([A-Za-z_]\w*)": "[A-Za-z0-9+/=]*"$/,
    isWholeFile: true,
  },
};

/**
 * Returns the file to write.
 *
 * @throws CliError `output_missing` if the format has no default file, and for standard output.
 */
export function envFilePath(format: EnvFormat, output: string | undefined): string {
  if (output !== undefined && output !== "-") return output;
  if (output === undefined && format === "dotenv") return ".env";
  throw new CliError({
    message: output === "-" ? "Standard output is not a file." : `The format ${format} has no default file.`,
    code: "output_missing",
    exitCode: EXIT_CODES.usage,
    nextSteps: [
      `purser env pull --format ${format} --file FILE`,
      "Or run a program with them: purser env run -- COMMAND",
    ],
  });
}

/**
 * Returns each variable as the file has it, sorted by name.
 *
 * @throws CliError `line_breaks` if the format is `docker` and a value has a line break.
 */
export function entriesOf({ env }: PulledEnv, format: EnvFormat): ReadonlyMap<string, string> {
  const sorted = Object.entries(env).sort(([a], [b]) => (a < b ? -1 : 1));
  const broken = format === "docker" ? sorted.filter(([, value]) => /[\n\r]/.test(value)) : [];
  if (broken.length > 0) {
    throw new CliError({
      message: `The format docker has one line for each variable, but these values have line breaks: ${broken.map(([name]) => name).join(", ")}.`,
      code: "line_breaks",
      exitCode: EXIT_CODES.validation,
      nextSteps: ["Use another format, or `purser env run -- docker run -e NAME …`."],
    });
  }
  return new Map(sorted.map(([name, value]) => [name, FORMATS[format].entryOf(name, value)]));
}
