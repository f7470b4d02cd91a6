import { type Hex, keccak256, numberToHex, toHex } from "viem";
import {
  analyze,
  type Compilation,
  type ContractDefinition,
  type StorageLayout,
  type StorageVariable,
} from "./solidity.ts";

/** A contract with this base can be upgraded, so its storage must keep its layout. */
const UPGRADEABLE = "UUPSUpgradeable";
const NAMESPACE = /@custom:storage-location erc7201:(\S+)/;
const PROBE_FILE = "StorageProbe.sol";

/** A struct that a contract stores in a namespace of ERC-7201. */
interface Namespace {
  readonly id: string;
  readonly file: string;
  readonly contract: string;
  readonly struct: string;
}

/**
 * Returns the storage layout of each upgradeable contract of `src/`, as text with one line for each variable. Contains
 * the structs in namespaces of ERC-7201, which the compiler leaves out because no variable declares them.
 */
export async function storageLayouts(): Promise<Map<string, string>> {
  const tree = await analyze("ast");
  const own = contractsOf(tree).filter(({ file }) => file.startsWith("src/"));
  // A library can contain the struct of an account, which does not inherit it.
  const libraries = own.filter(({ definition }) => definition.contractKind === "library");
  const upgradeable = own.filter(({ bases }) =>
    bases.slice(1).some(({ name }) => name === UPGRADEABLE),
  );
  const namespaces = new Map(
    upgradeable.map(({ name, bases }) => [name, [...bases, ...libraries].flatMap(namespacesOf)]),
  );
  const probes = new Map(
    [...namespaces.values()].flat().map((namespace) => [probeName(namespace), namespace]),
  );
  const { contracts } = await analyze("storageLayout", { [PROBE_FILE]: probeSource(probes) });

  return new Map(
    upgradeable.map(({ file, name }) => {
      const sections = [
        ...describe(name, contracts[file]?.[name]?.storageLayout),
        ...(namespaces.get(name) ?? []).flatMap((namespace) =>
          describeNamespace(
            namespace,
            contracts[PROBE_FILE]?.[probeName(namespace)]?.storageLayout,
          ),
        ),
      ];
      return [name, `${[...new Set(sections)].join("\n\n")}\n`];
    }),
  );
}

interface Contract {
  readonly file: string;
  readonly name: string;
  readonly definition: ContractDefinition;
}

/** Returns all contracts, each with its bases. The first base is the contract itself. */
function contractsOf({ sources }: Compilation): (Contract & { readonly bases: Contract[] })[] {
  const all = Object.entries(sources).flatMap(([file, { ast }]) =>
    ast.nodes.flatMap((node) =>
      node.nodeType === "ContractDefinition" ? [{ file, name: node.name, definition: node }] : [],
    ),
  );
  const byId = new Map(all.map((owner) => [owner.definition.id, owner]));
  return all.map((owner) => ({
    ...owner,
    bases: owner.definition.linearizedBaseContracts.flatMap((id) => byId.get(id) ?? []),
  }));
}

function namespacesOf({ file, name, definition }: Contract): Namespace[] {
  return definition.nodes.flatMap((node) => {
    if (node.nodeType !== "StructDefinition") return [];
    const id = NAMESPACE.exec(node.documentation?.text ?? "")?.[1];
    return id === undefined ? [] : [{ id, file, contract: name, struct: node.name }];
  });
}

function probeName({ contract, struct }: Namespace): string {
  return `${contract}_${struct}`;
}

/** Declares a variable for each struct, in a contract of its own, so that the compiler describes the struct. */
function probeSource(probes: ReadonlyMap<string, Namespace>): string {
  return [
    "pragma solidity *;",
    ...[...probes].flatMap(([name, { file, contract, struct }]) => [
      `import {${contract} as Owner_${name}} from "${file}";`,
      `contract ${name} { Owner_${name}.${struct} namespace; }`,
    ]),
  ].join("\n");
}

function describe(title: string, layout: StorageLayout | undefined): string[] {
  if (layout === undefined) throw new Error(`The compiler returned no storage layout of ${title}.`);
  const types = layout.types ?? {};
  const section = (heading: string, variables: readonly StorageVariable[]) =>
    [heading, ...variables.map((variable) => `  ${line(variable, types)}`)].join("\n");
  const structs = Object.values(types)
    .flatMap(({ label, members }) => (members === undefined ? [] : [section(label, members)]))
    .sort();
  return [section(title, layout.storage), ...structs];
}

function describeNamespace(
  { id, contract, struct }: Namespace,
  layout: StorageLayout | undefined,
): string[] {
  const [, ...structs] = describe(id, layout);
  return [`erc7201:${id} at ${namespaceSlot(id)}: struct ${contract}.${struct}`, ...structs];
}

function line(
  { slot, offset, label, type }: StorageVariable,
  types: NonNullable<StorageLayout["types"]>,
): string {
  const { label: typeLabel = type, numberOfBytes = "?" } = types[type] ?? {};
  return `slot ${slot}, byte ${offset}: ${typeLabel} ${label} (${numberOfBytes} bytes)`;
}

/** The formula of ERC-7201. */
function namespaceSlot(id: string): Hex {
  const hash = BigInt(keccak256(numberToHex(BigInt(keccak256(toHex(id))) - 1n, { size: 32 })));
  return numberToHex(hash & ~0xffn, { size: 32 });
}
