import type { ServiceId } from "../../foundation/ids.ts";
import type { ProviderEnv } from "../../ports/service-provider.ts";
import type { SealedServiceEnv } from "./bundle/queries.ts";
import { bareName } from "./services/env-names.ts";
import { findCatalogService } from "./services/find-offered-plan.ts";

/** One variable of an environment, and whose it is. */
export interface PulledVariable {
  readonly name: string;
  readonly value: string;
  readonly sensitive: boolean;
  readonly updatedAt: Date;
  /** Null: the project's own. */
  readonly service: { readonly serviceId: ServiceId; readonly credentialVersion: number } | null;
}

/** What a service contributes, opened and under the provider's names. */
export interface ServiceContribution extends Omit<SealedServiceEnv, "valueSealed"> {
  readonly env: ProviderEnv;
}

export interface AssembledEnv {
  /** By name. */
  readonly variables: readonly PulledVariable[];
  /** What somebody who looks for a variable under its usual name should know. */
  readonly warnings: readonly string[];
}

/**
 * Puts the project's own variables and those of its services together. The project's own win; of two services the older
 * one would, though their names were kept apart when they were added.
 */
export function assembleEnv({
  own,
  services,
  isWanted,
}: {
  readonly own: readonly PulledVariable[];
  /** Oldest first. */
  readonly services: readonly ServiceContribution[];
  /** Whether the caller asked for a service's variable of this name. */
  readonly isWanted: (name: string) => boolean;
}): AssembledEnv {
  const byName = new Map(own.map((variable) => [variable.name, variable]));
  const warnings: string[] = [];
  for (const contributed of services.flatMap(variablesOf)) {
    const { variable } = contributed;
    if (!isWanted(variable.name)) continue;
    const holder = byName.get(variable.name);
    if (holder === undefined) byName.set(variable.name, variable);
    warnings.push(...warningsOf(contributed, holder));
  }
  const variables = [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  return { variables, warnings };
}

interface Contributed {
  readonly variable: PulledVariable;
  readonly serviceName: string;
  /** What it would be called, had no other service been there first. */
  readonly bare: string;
}

function variablesOf(service: ServiceContribution): Contributed[] {
  const { serviceId, credentialVersion, envNames, env, storedAt: updatedAt } = service;
  const catalogVariables = findCatalogService(service.service)?.env_vars ?? [];
  const harmless = new Set(catalogVariables.filter((one) => !one.sensitive).map((one) => one.name));
  return Object.entries(envNames)
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .flatMap(([providerName, name]) => {
      const value = Object.hasOwn(env, providerName) ? env[providerName] : undefined;
      if (value === undefined) return [];
      const sensitive = !harmless.has(providerName);
      const whose = { serviceId, credentialVersion };
      const variable: PulledVariable = { name, value, sensitive, updatedAt, service: whose };
      return [{ variable, serviceName: service.name, bare: bareName(service, providerName) }];
    });
}

function warningsOf(
  { variable: { name }, serviceName, bare }: Contributed,
  holder: PulledVariable | undefined,
): string[] {
  if (holder !== undefined) {
    const whose = holder.service === null ? "the project's own variable" : "an older service's";
    return [`${name} of the service ${serviceName} is hidden by ${whose} of that name.`];
  }
  if (name === bare) return [];
  const reason = "another service had that name first";
  return [`${bare} of the service ${serviceName} is called ${name}: ${reason}.`];
}
