import type { ServiceId } from "../../foundation/ids.ts";
import { caselessName } from "../../foundation/variable-names.ts";
import type { ProviderEnv } from "../../ports/service-provider.ts";
import { findCatalogService } from "../catalog/plans.ts";
import { defaultName } from "../services/env-names.ts";
import type { SealedServiceEnv } from "./bundle/queries.ts";

/** A variable in an environment, and where it comes from. */
export interface PulledVariable {
  readonly name: string;
  readonly value: string;
  readonly sensitive: boolean;
  readonly updatedAt: Date;
  /** The service that provides the variable, or null for a project variable. */
  readonly service: { readonly serviceId: ServiceId; readonly credentialVersion: number } | null;
}

/** The decrypted variables of one service. `env` has the provider's variable names, not the names in the project. */
export interface ServiceContribution extends Omit<SealedServiceEnv, "valueSealed"> {
  readonly env: ProviderEnv;
}

export interface AssembledEnv {
  /** Sorted by name. */
  readonly variables: readonly PulledVariable[];
  /** Human-readable messages about hidden and renamed variables, and about missing resources of services. */
  readonly warnings: readonly string[];
}

interface AssembleEnv {
  readonly own: readonly PulledVariable[];
  /** Oldest first. */
  readonly services: readonly ServiceContribution[];
  /**
   * Returns true if the caller requested the name. Called only for service variables, because `own` contains only
   * requested variables.
   */
  readonly isRequested: (name: string) => boolean;
}

/**
 * Combines the project's variables with its services' variables. If names are equal in any case, a project variable
 * takes precedence over a service variable, and an older service over a newer one.
 */
export function assembleEnv({ own, services, isRequested }: AssembleEnv): AssembledEnv {
  const byName = new Map(own.map((variable) => [caselessName(variable.name), variable]));
  const warnings: string[] = [];
  for (const contributed of services.flatMap(variablesOf)) {
    const { variable } = contributed;
    if (!isRequested(variable.name)) continue;
    const key = caselessName(variable.name);
    const existing = byName.get(key);
    if (existing === undefined) byName.set(key, variable);
    warnings.push(...warningsOf(contributed, existing));
  }
  warnings.push(...services.flatMap(missingResourceWarnings));
  const variables = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { variables, warnings };
}

function missingResourceWarnings({ name, provider, resourceMissingSince: since }: ServiceContribution): string[] {
  if (since === null) return [];
  return [
    `The resource of the service ${name} was not found at ${provider} at ${since.toISOString()}. Its variables may not work.`,
  ];
}

interface Contributed {
  readonly variable: PulledVariable;
  readonly serviceName: string;
  /** The name that the variable has unless an older service already uses it. */
  readonly defaultName: string;
}

function variablesOf(service: ServiceContribution): Contributed[] {
  const { serviceId, credentialVersion, envNames, env, storedAt: updatedAt } = service;
  const catalogVariables = findCatalogService(service.service)?.env_vars ?? [];
  const plain = new Set(catalogVariables.filter((one) => !one.sensitive).map((one) => one.name));
  return Object.entries(envNames)
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .flatMap(([providerName, name]) => {
      const value = Object.hasOwn(env, providerName) ? env[providerName] : undefined;
      if (value === undefined) return [];
      const sensitive = !plain.has(providerName);
      const source = { serviceId, credentialVersion };
      const variable: PulledVariable = { name, value, sensitive, updatedAt, service: source };
      return [{ variable, serviceName: service.name, defaultName: defaultName(service, providerName) }];
    });
}

function warningsOf(
  { variable: { name }, serviceName, defaultName }: Contributed,
  existing: PulledVariable | undefined,
): string[] {
  if (existing !== undefined) {
    const other = existing.service === null ? "a project variable" : "a variable of an older service";
    return [`${name} of the service ${serviceName} is hidden by ${other} with the same name.`];
  }
  if (name === defaultName) return [];
  const reason = `an older service had the name ${defaultName} when this one was added`;
  return [`${defaultName} of the service ${serviceName} is renamed to ${name}: ${reason}.`];
}
