import { isReservedName, VARIABLE_NAME_PATTERN } from "../variables/variable-names.ts";
import type { Service } from "./queries.ts";

/**
 * Chosen so that a name with an `env_prefix` (32 characters), the longest name of the catalog (50) and a number has at
 * most 128 characters.
 */
const LOCAL_PREFIX_MAX = 40;
const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

/** A service whose variables have names in the project. */
type NamedService = Pick<Service, "environments" | "envNames">;

/**
 * Returns the name in the project of each variable of a service, by the provider's name. Call it once, when the service
 * is added, with the project locked. The names never change: a name that moved to another service after a removal would
 * lead a running program to the wrong database.
 *
 * The name is `<env_prefix>NAME`, or NAME without a prefix. If a service in one of the same environments has that name,
 * the local name of the new service is added in front: `DATABASE_URL` of `primary-db` becomes
 * `PRIMARY_DB_DATABASE_URL`. Project variables are not considered, because they hide a service's variable only while
 * they are set.
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

/** Whether all names with this prefix are valid variable names that are not reserved. */
export function isUsablePrefix(envPrefix: string, providerNames: readonly string[]): boolean {
  return providerNames.every((providerName) => isUsable(envPrefix + providerName));
}

/** The name of a variable if no older service has it. */
export function defaultName(
  { envPrefix }: Pick<Service, "envPrefix">,
  providerName: string,
): string {
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
  const preferred = defaultName(service, providerName);
  if (isUsable(preferred) && !taken.has(preferred)) return preferred;
  const joined = joinWords(prefixOf(service.name), preferred);
  // The service names `git` and `2nd` lead to a reserved name and to an invalid one. An underscore avoids both.
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

/** Joins prefix and name without repeating words: `FIRECRAWL_API` and `API_KEY` become `FIRECRAWL_API_KEY`. */
function joinWords(prefix: string, name: string): string {
  const head = prefix.split("_");
  const tail = name.split("_");
  const shared = tail.findLastIndex((_, last) =>
    `_${prefix}`.endsWith(`_${tail.slice(0, last + 1).join("_")}`),
  );
  return [...head, ...tail.slice(shared + 1)].join("_");
}
