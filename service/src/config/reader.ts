import { readFileSync } from "node:fs";

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Creates a reader for environment variables. The variable `NAME_FILE` can specify a file that contains the value of
 * `NAME`. Problems are appended to `problems`.
 */
export function createReader(environment: Environment, problems: string[]) {
  function lookUp(name: string): string | undefined {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === "") return environment[name] || undefined;
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text === "") problems.push(`${name}_FILE is the path of an empty file.`);
      return text;
    } catch {
      problems.push(`${name}_FILE is the path of a file that cannot be read.`);
      return "";
    }
  }

  function required(name: string, fallback?: string): string {
    const value = lookUp(name) ?? fallback;
    if (value === undefined) problems.push(`${name} is missing. Set it, or ${name}_FILE.`);
    return value ?? "";
  }

  return {
    report: (problem: string): void => {
      problems.push(problem);
    },
    text: required,
    secret: (name: string) => required(name),
    optionalSecret: (name: string) => lookUp(name) ?? null,
    /** Returns the value. Reports it if it is neither missing nor of this form, without the value: it may be a secret. */
    formed: <Value extends string | null>(
      name: string,
      value: Value,
      hasForm: (text: string) => boolean,
      form: string,
    ) => {
      if (value !== null && value !== "" && !hasForm(value)) problems.push(`${name} is not ${form}.`);
      return value;
    },
    whole: (name: string, fallback: number, least = 1): number => {
      const value = lookUp(name) ?? String(fallback);
      if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
        problems.push(`${name} is not a whole number of at least ${least}.`);
      }
      return Number(value);
    },
    /** Returns true if the variable is set to an empty text, which all other methods treat as missing. */
    isEmpty: (name: string): boolean => environment[name] === "",
    list: (name: string, fallback: readonly string[]): string[] => {
      const value = lookUp(name);
      return value === undefined
        ? [...fallback]
        : value
            .split(",")
            .map((item) => item.trim())
            .filter(Boolean);
    },
    oneOf: <Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
      const value = lookUp(name) ?? fallback;
      const match = words.find((word) => word === value);
      if (match === undefined) problems.push(`${name} must be one of ${words.join(", ")}.`);
      return match ?? fallback;
    },
  };
}

export type Reader = ReturnType<typeof createReader>;
