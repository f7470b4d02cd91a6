import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A part of the server's code, and a part of the paths of its files. The first that matches counts. */
const GROUPS: readonly (readonly [group: string, path: RegExp])[] = [
  ["signature, nonce, token bucket", /service\/src\/(http\/auth|adapters\/fast-state|crypto\/signing)/],
  ["decision", /service\/src\/(workflows\/decisions|modules\/policies|modules\/agents)|plan-payment/],
  ["payment and signed receipt", /service\/src\/(modules\/payments|crypto)|canonicalize/],
  ["budget, ledger and rows", /service\/src\/(workflows|audit|events|idempotency|budgets|modules)/],
  ["PostgreSQL client", /service\/src\/db|node_modules\/(pg|pg-[a-z]+|kysely)\//],
  ["HTTP and JSON", /service\/src\/http|node_modules\/|node:(_http|internal|net|events|stream)/],
];
const OTHER = "other";
const NOT_COUNTED = new Set(["(idle)", "(root)"]);
/** Mostly the kernel's work, which also wakes the process that receives. */
const WRITES = "writing to sockets";
const SPECIAL = new Map([
  ["(garbage collector)", "garbage collector"],
  ["(program)", "Node.js outside JavaScript"],
  ["writev", WRITES],
  ["writeUtf8String", WRITES],
  ["writeLatin1String", WRITES],
  ["writeBuffer", WRITES],
]);

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

interface Profile {
  readonly nodes: readonly ProfileNode[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/**
 * Returns the share of each part of the code in the CPU time of the last seconds before the process stopped. A function
 * of Node.js or of another package counts to the code that called it.
 */
export async function readServerProfile(folder: string, seconds: number): Promise<Readonly<Record<string, number>>> {
  const [file] = (await readdir(folder)).filter((name) => name.endsWith(".cpuprofile"));
  if (file === undefined) throw new Error("The server wrote no CPU profile.");
  const profile: Profile = JSON.parse(await readFile(join(folder, file), "utf8"));
  return sharesOf(profile, seconds);
}

function sharesOf({ nodes, samples, timeDeltas }: Profile, seconds: number) {
  const groups = groupsOf(nodes);
  const sums = new Map<string, number>();
  let ageMicros = 0;
  for (let index = samples.length - 1; index >= 0 && ageMicros < seconds * 1e6; index -= 1) {
    const micros = timeDeltas[index] ?? 0;
    const group = groups.get(samples[index] ?? 0);
    ageMicros += micros;
    if (group !== undefined) sums.set(group, (sums.get(group) ?? 0) + micros);
  }
  const total = [...sums.values()].reduce((sum, micros) => sum + micros, 0);
  const shares = [...sums].map(([group, micros]) => [group, micros / total] as const);
  return Object.fromEntries(shares.toSorted(([, a], [, b]) => b - a));
}

/** Returns the group of each node by its id. An idle node has none. */
function groupsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const groups = new Map<number, string>();
  const assign = (node: ProfileNode, caller: string) => {
    const group = groupOf(node, caller);
    if (!NOT_COUNTED.has(node.callFrame.functionName)) groups.set(node.id, group);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child !== undefined) assign(child, group);
    }
  };
  const [root] = nodes;
  if (root !== undefined) assign(root, OTHER);
  return groups;
}

function groupOf({ callFrame: { functionName, url } }: ProfileNode, caller: string): string {
  const special = SPECIAL.get(functionName);
  if (special !== undefined) return special;
  const found = GROUPS.find(([, path]) => path.test(url))?.[0];
  // Below our own code, a package's functions belong to it.
  const isOwn = /service\/src|node_modules\/(pg|kysely)/.test(url);
  return isOwn || caller === OTHER ? (found ?? caller) : caller;
}
