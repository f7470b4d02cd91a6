import { forge } from "./forge.ts";

/** The parts of the compiler's storage layout that are used. */
interface StorageLayout {
  readonly storage: readonly StorageVariable[];
  readonly types: Readonly<Record<string, StorageType>>;
}

interface StorageVariable {
  readonly label: string;
  readonly slot: string;
  readonly offset: number;
  readonly type: string;
}

interface StorageType {
  readonly label: string;
  readonly numberOfBytes: string;
  readonly members?: readonly StorageVariable[];
}

/**
 * Returns the storage layout of an account, as text with one line for each variable. The compiler leaves out its state,
 * which is in a namespace of ERC-7201: `AccountStateProbe` declares it as a variable.
 */
export async function readStorageLayout(): Promise<string> {
  const account = await inspect("AgentAccount");
  const { types } = await inspect("AccountStateProbe");
  const structs = Object.values(types)
    .flatMap(({ label, members }) => (members ? [section(label, members, types)] : []))
    .sort();
  return `${[section("AgentAccount", account.storage, account.types), ...structs].join("\n\n")}\n`;
}

async function inspect(name: string): Promise<StorageLayout> {
  return JSON.parse(await forge(["inspect", name, "storage-layout", "--json"]));
}

function section(title: string, variables: readonly StorageVariable[], types: StorageLayout["types"]): string {
  const lines = variables.map(({ slot, offset, label, type }) => {
    const { label: typeLabel = type, numberOfBytes = "?" } = types[type] ?? {};
    return `  slot ${slot}, byte ${offset}: ${typeLabel} ${label} (${numberOfBytes} bytes)`;
  });
  return [title, ...lines].join("\n");
}
