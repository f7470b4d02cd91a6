import { caselessName, isReservedName, VARIABLE_NAME_PATTERN } from "../../foundation/variable-names.ts";
import type { Service } from "./queries.ts";

/**
 * Maximum length of the service's name at the start of a variable name. A variable name then has at most 128
 * characters, including an `env_prefix` (32), the longest catalog name (50) and a number.
 */
const LOCAL_PREFIX_MAX = 40;

const NAME_FORM = new RegExp(VARIABLE_NAME_PATTERN);

/** A service that already has variable names in the project. */
type NamedService = Pick<Service, "environments" | "envNames">;

/**
 * Maps the provider's variable names to the service's variable names in the project. Call it once, when the service is
 * added, with the project locked. The names never change. Otherwise, an existing service could take over the variable
 * name of a removed service, and a running program could connect to the wrong database.
 *
 * The default name is `<env_prefix>NAME`, or `NAME` without a prefix. If another service already uses the default name
 * in one of the environments, the new service's own name is put in front: `DATABASE_URL` of `primary-db` becomes
 * `PRIMARY_DB_DATABASE_URL`.
 *
 * A service's variable can have the same name as a project variable. The project variable then hides the service's
 * variable until the project variable is deleted.
 */
export function nameServiceEnv(
  service: Pick<Service, "name" | "envPrefix" | "environments">,
  { providerNames, others }: { readonly providerNames: readonly string[]; readonly others: readonly NamedService[] },
): Readonly<Record<string, string>> {
  const neighbours = others.filter(({ environments }) =>
    environments.some((name) => service.environments.includes(name)),
  );
  const taken = new Set(neighbours.flatMap(({ envNames }) => Object.values(envNames).map(caselessName)));
  const names = new Map<string, string>();
  for (const providerName of providerNames) {
    const name = freeName(service, providerName, taken);
    taken.add(caselessName(name));
    names.set(providerName, name);
  }
  return Object.fromEntries(names);
}

/** Returns true if every name with this prefix is a valid variable name and not reserved. */
export function isUsablePrefix(envPrefix: string, providerNames: readonly string[]): boolean {
  return providerNames.every((providerName) => isUsable(envPrefix + providerName));
}

/** Returns the name that the variable has unless an older service already uses it. */
export function defaultName({ envPrefix }: Pick<Service, "envPrefix">, providerName: string): string {
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
  if (isUsable(preferred) && !taken.has(caselessName(preferred))) return preferred;
  const joined = joinWords(prefixOf(service.name), preferred);
  // Some service names would result in a reserved variable name (`git`) or an invalid one (`2nd`). In these cases the
  // variable name starts with an underscore.
  const base = [joined, `${joined}_2`].every(isUsable) ? joined : `_${joined}`;
  let name = base;
  for (let count = 2; taken.has(caselessName(name)); count += 1) name = `${base}_${count}`;
  return name;
}

/** Converts `primary-db` to `PRIMARY_DB`. */
function prefixOf(localName: string): string {
  const words = localName.toUpperCase().match(/[A-Z0-9]+/g) ?? ["SERVICE"];
  return words.join("_").slice(0, LOCAL_PREFIX_MAX).replace(/_$/, "");
}

/** Joins prefix and name without repeating shared words: `FIRECRAWL_API` and `API_KEY` become `FIRECRAWL_API_KEY`. */
function joinWords(prefix: string, name: string): string {
  const head = prefix.split("_");
  const tail = name.split("_");
  const shared = tail.findLastIndex((_, last) => `_${prefix}`.endsWith(`_${tail.slice(0, last + 1).join("_")}`));
  return [...head, ...tail.slice(shared + 1)].join("_");
}
