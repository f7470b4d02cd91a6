import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import solc from "solc";
import { CheckError, CONTRACTS_FOLDER, readRemappings } from "./forge.ts";

/** The parts of the compiler's answer that are used. */
export interface Compilation {
  readonly sources: Readonly<Record<string, { readonly ast: SourceUnit }>>;
  readonly contracts: Readonly<
    Record<string, Readonly<Record<string, { readonly storageLayout: StorageLayout }>>>
  >;
}

export interface SourceUnit {
  readonly nodes: readonly (ContractDefinition | { readonly nodeType: "other" })[];
}

export interface ContractDefinition {
  readonly nodeType: "ContractDefinition";
  readonly id: number;
  readonly name: string;
  readonly contractKind: string;
  readonly linearizedBaseContracts: readonly number[];
  readonly nodes: readonly (StructDefinition | { readonly nodeType: "other" })[];
}

export interface StructDefinition {
  readonly nodeType: "StructDefinition";
  readonly name: string;
  readonly documentation?: { readonly text: string };
}

export interface StorageLayout {
  readonly storage: readonly StorageVariable[];
  readonly types: Readonly<Record<string, StorageType>> | null;
}

export interface StorageVariable {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}

export interface StorageType {
  readonly label: string;
  readonly numberOfBytes: string;
  readonly members?: readonly StorageVariable[];
}

/**
 * Runs the compiler without generating code, on `src/` and additional sources, with forge's remappings. Forge itself
 * cannot compile a source that is not in a file.
 */
export async function analyze(
  output: "ast" | "storageLayout",
  additionalSources: Readonly<Record<string, string>> = {},
): Promise<Compilation> {
  const remappings = await readRemappings();
  const read = (file: string) => readFileSync(path.join(CONTRACTS_FOLDER, file), "utf8");
  const own = readdirSync(path.join(CONTRACTS_FOLDER, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".sol"))
    .map((file) => path.posix.join("src", file.replaceAll("\\", "/")));
  const input = {
    language: "Solidity",
    sources: Object.fromEntries([
      ...own.map((file) => [file, { content: read(file) }]),
      ...Object.entries(additionalSources).map(([file, content]) => [file, { content }]),
    ]),
    settings: {
      remappings,
      outputSelection:
        output === "ast" ? { "*": { "": ["ast"] } } : { "*": { "*": ["storageLayout"] } },
    },
  };
  const answer: Compilation & {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  } = JSON.parse(
    solc.compile(JSON.stringify(input), { import: (file: string) => ({ contents: read(file) }) }),
  );
  const errors = (answer.errors ?? []).filter(({ severity }) => severity === "error");
  if (errors.length > 0) {
    throw new CheckError(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  }
  return answer;
}
