import { isReservedName, VARIABLE_NAME_PATTERN } from "../variables/variable-names.ts";
import type { Service } from "./queries.ts";

/** With a prefix of 32 characters, the longest name of the catalog and a count, what comes of it is still a variable's name. */
const LOCAL_PREFIX_MAX = 40;
const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

/** A service that has its names already. */
type NamedService = Pick<Service, "environments" | "envNames">;

/**
 * The name that each variable of a service will have in the project, by its name at the provider. Found once, when the
 * service is added and under the project's lock, and kept: a name that passed to another service when its holder is removed
 * would point a running program at the wrong database.
 *
 * A variable is called `<env_prefix>NAME`, or else NAME. Where a service in one of the same environments has that name
 * already, the later one's local name goes before it: `DATABASE_URL` of `primary-db` is then `PRIMARY_DB_DATABASE_URL`.
 * Project variables do not matter here: one of the same name hides the service's for as long as it is set.
 */
export function nameServiceEnv(
  service: Pick<Service, "name" | "envPrefix" | "environments">,
  {
    providerNames,
    others,
  }: { readonly providerNames: readonly string[]; readonly others: readonly NamedService[] },
): Readonly<Record<string, string>> {
  const neighbours = others.filter(({ environments }) =>
    environments.some((name) => service.environments.includes(name)),
  );
  const taken = new Set(neighbours.flatMap(({ envNames }) => Object.values(envNames)));
  const names = new Map<string, string>();
  for (const providerName of providerNames) {
    const name = freeName(service, providerName, taken);
    taken.add(name);
    names.set(providerName, name);
  }
  return Object.fromEntries(names);
}

/** Whether all of a service's variables can be called this way: of a variable's form, and none of them reserved. */
export function isUsablePrefix(envPrefix: string, providerNames: readonly string[]): boolean {
  return providerNames.every((providerName) => isUsable(envPrefix + providerName));
}

/** The name that a variable has where no other service was there first. */
export function bareName({ envPrefix }: Pick<Service, "envPrefix">, providerName: string): string {
  return (envPrefix ?? "") + providerName;
}

function isUsable(name: string): boolean {
  return NAME_FORM.test(name) && !isReservedName(name);
}

function freeName(
  service: Pick<Service, "name" | "envPrefix">,
  providerName: string,
  taken: ReadonlySet<string>,
): string {
  const bare = bareName(service, providerName);
  if (isUsable(bare) && !taken.has(bare)) return bare;
  const joined = joinedWords(prefixOf(service.name), bare);
  // A service may be called `git` or `2nd`, whose name makes one that is reserved, or none at all.
  const base = [joined, `${joined}_2`].every(isUsable) ? joined : `_${joined}`;
  let name = base;
  for (let count = 2; taken.has(name); count += 1) name = `${base}_${count}`;
  return name;
}

/** `primary-db` → `PRIMARY_DB`. */
function prefixOf(localName: string): string {
  const words = localName.toUpperCase().match(/[A-Z0-9]+/g) ?? ["SERVICE"];
  return words.join("_").slice(0, LOCAL_PREFIX_MAX).replace(/_$/, "");
}

/** Words that end the prefix and begin the name are said once: `firecrawl-api` and `API_KEY` make `FIRECRAWL_API_KEY`. */
function joinedWords(prefix: string, name: string): string {
  const head = prefix.split("_");
  const tail = name.split("_");
  const shared = tail.findLastIndex((_, last) =>
    `_${prefix}`.endsWith(`_${tail.slice(0, last + 1).join("_")}`),
  );
  return [...head, ...tail.slice(shared + 1)].join("_");
}
