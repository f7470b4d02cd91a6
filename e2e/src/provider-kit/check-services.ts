import {
  catalogEntryOf,
  findOffer,
  isServicePage,
  readServiceList,
} from "@purser/service/adapters/service-provider/agentic/agentic-catalog.ts";
import type { AgenticService, ServiceList } from "@purser/service/adapters/service-provider/agentic/agentic-wire.ts";
import { parseConfiguredEntry } from "@purser/service/modules/catalog/catalog.ts";
import type { Kit } from "./kit.ts";
import { VERSION } from "./kit-client.ts";

export async function checkHealth({ check, call }: Kit): Promise<void> {
  await check("health", async (problem) => {
    const { status, body } = await call("GET", "/provisioning/health");
    if (status !== 200) problem(`The answer has status ${status} instead of 200.`);
    if (body.status !== "ok") problem("The status is not ok.");
    if (![body.supported_versions].flat().includes(VERSION)) {
      problem(`supported_versions does not contain ${VERSION}.`);
    }
  });
  await check("wrong version", async (problem) => {
    const { status } = await call("GET", "/provisioning/services", { version: "9.9" });
    if (status < 400 || status > 499) {
      problem(`A call with API-Version 9.9 got ${status}. It must be rejected with 4xx.`);
    }
  });
}

export async function checkServices({ check, call }: Kit): Promise<readonly AgenticService[] | undefined> {
  const list = await check("services", async (problem) => {
    const services = await readServiceList(async ({ cursor }) => {
      const query = cursor === undefined ? "" : `?${new URLSearchParams({ cursor })}`;
      const { status, body } = await call("GET", `/provisioning/services${query}`);
      if (status === 200 && isServicePage(body)) return body;
      throw new Error(`The answer (${status}) is not a list of services with id and pricing.`);
    });
    if (services === undefined) throw new Error("The list has more than 200 services or 20 pages.");
    const ids = services.data.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) problem("Two services have the same id.");
    checkUpdates(services.data, problem);
    if (offersOf(services).length === 0) {
      problem("No deployable service has a plan with a price like $20/month.");
    }
    return services;
  });
  if (list === undefined) return undefined;
  await check("catalog entry", async () => parseConfiguredEntry(FACTS.provider, entryOf(list)));
  return list.data;
}

function checkUpdates(services: readonly AgenticService[], problem: (text: string) => void): void {
  const ids = services.map(({ id }) => id);
  for (const { id, allowed_updates = [] } of services) {
    const targets = allowed_updates.map((each) => (typeof each === "string" ? each : each.service));
    const unknown = targets.filter((target) => !ids.includes(target) && target !== "service_ref");
    if (unknown.length > 0) problem(`${id} allows an update to ${unknown}, which does not exist.`);
  }
}

/** The configuration has the terms if the list of services does not. */
const FACTS = {
  provider: "kit",
  display_name: "Kit",
  billed_by: "vendor",
  terms: { version: "1", url: "https://kit.invalid/terms" },
} as const;

/** Returns the services as Purser's catalog would show them. */
function entryOf(list: ServiceList) {
  return catalogEntryOf(FACTS, list, "ok") as { readonly services: readonly Offered[] };
}

function offersOf(list: ServiceList): readonly Offered[] {
  return entryOf(list).services;
}

export interface Offered {
  readonly service: string;
  readonly plans: readonly { readonly plan: string; readonly allowed_updates: readonly string[] }[];
}

/** Returns the first service with its first plan. */
export function chooseOf(services: readonly AgenticService[]) {
  const [offered] = offersOf({ data: [...services] });
  const [offer] = offered?.plans ?? [];
  if (offered === undefined || offer === undefined) return undefined;
  const found = findOffer(services, { service: offered.service, plan: offer.plan });
  return found === undefined ? undefined : { offer, found };
}
