import { randomUUID } from "node:crypto";
import type { Purser } from "@purser/sdk";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { type SeedApp, seedDeveloper, seedKeyPair } from "../../../../service/test/seeds.ts";
import { completeConsentPage } from "../../../../simulators/test/complete-consent-page.ts";
import { retryUnavailable, sendOnce } from "../../signed-client.ts";
import { submitToken } from "../../submit-token.ts";
import { until } from "../../until.ts";
import { retryingClient } from "../kills/retrying-client.ts";
import { random } from "../random.ts";

/** Providers that are linked with a token. Acme DB exists in tests only, so the SDK's types do not name it. */
const PROVIDERS = ["neon", "supabase", "acme-db" as "neon"] as const;
/** Providers from the configuration, which create accounts. The SDK's types do not name them. */
const CONFIGURED = ["acme-analytics", "acme-queue"] as const;
type Provider = (typeof PROVIDERS)[number];

/** Kills interrupt this often. */
const LINKED_WITHIN_MS = 300_000;
const MONTHLY_CAP = "100000.00";

export interface Project {
  readonly projectId: string;
  readonly customer: Customer;
}

/** A developer with a client that changes its projects. */
export interface Customer {
  readonly tenantId: TenantId;
  readonly url: string;
  readonly purser: Purser;
  /** A client with another key, which can read the audit trail. */
  readonly auditor: Purser;
  /** The projects that are not known to be deleted, by id. */
  readonly projects: Map<string, Project>;
  /** The project of each access token. */
  readonly projectOfToken: Map<string, string>;
}

export async function seedCustomer(seeds: SeedApp, url: string, fetch?: typeof globalThis.fetch): Promise<Customer> {
  const tenantId = await seedDeveloper(seeds);
  return {
    ...{ tenantId, url },
    purser: retryingClient(url, await seedKeyPair(seeds, tenantId), fetch),
    auditor: retryingClient(url, await seedKeyPair(seeds, tenantId), fetch),
    projects: new Map(),
    projectOfToken: new Map(),
  };
}

/** Creates a project that is linked to every provider. Some projects get their card only after their first service. */
export async function createProject(customer: Customer): Promise<Project> {
  const { purser, projects } = customer;
  const body = { name: randomUUID(), monthly_cap: MONTHLY_CAP };
  const { project_id: projectId } = await purser.projects.create(body);
  const project = { projectId, customer };
  for (const provider of PROVIDERS) await linkByToken(project, provider);
  for (const provider of CONFIGURED) await linkByAccountRequest(project, provider as never);
  if (random(4) > 0) await attachCard(project);
  projects.set(projectId, project);
  return project;
}

/** Attaches a card to the project. A call that a vendor rejected is repeated, because Purser stored its rejection. */
export async function attachCard({ projectId, customer: { purser } }: Project): Promise<void> {
  const { billing } = purser.projects;
  await until(
    "the project has a card",
    () => billing.attachPaymentMethod(projectId, { payment_method_id: "pm_card_visa" }),
    LINKED_WITHIN_MS,
  );
}

/** Links an account of its own at the provider. */
async function linkByToken(project: Project, provider: Provider): Promise<void> {
  const { url, projectOfToken } = project.customer;
  const token = `sandbox-${randomUUID()}`;
  projectOfToken.set(token, project.projectId);
  await link(project, provider, async (form) => void (await submitToken(url, form, token)));
}

/** Links the developer's account. The provider asks for consent if it has the account already, or always. */
async function linkByAccountRequest(project: Project, provider: Provider): Promise<void> {
  await link(project, provider, async (page) => {
    const { pathname, search } = await completeConsentPage(page);
    await retryUnavailable(() => sendOnce(project.customer.url + pathname + search));
  });
}

/** Links the provider, and repeats this if the service was killed meanwhile. */
async function link(
  { projectId, customer: { purser } }: Project,
  provider: Provider,
  authorize: (url: string) => Promise<void>,
): Promise<void> {
  await until(
    "the provider is linked",
    async () => {
      const begun = await purser.projects.links.begin(projectId, { provider });
      if (begun.status === "linked") return begun;
      if (begun.url !== null) await authorize(begun.url);
      return undefined;
    },
    LINKED_WITHIN_MS,
  );
}
