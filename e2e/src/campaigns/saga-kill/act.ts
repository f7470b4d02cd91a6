import { APIError, type ApiPromise, type Service } from "@purser/sdk";
import { pick, random } from "../random.ts";
import { attachCard, type Project } from "./customers.ts";

const SERVICES_MAX = 4;
/** One action in this number deletes the project, so that most rotations end before. */
const DELETED_EVERY = 80;
/** Long enough for programs to use the former credentials during the grace period, although kills interrupt them. */
const GRACE_SECONDS_MAX = 20;
/** One change in this number is of any service, which may be one that cannot be changed. */
const ANY_SERVICE_EVERY = 10;
const OFFERS = [
  ...["free", "launch", "scale"].map((plan) => ({ service: "neon/postgres", plan })),
  ...["free", "pro", "team"].map((plan) => ({ service: "supabase/project", plan })),
  ...["free", "standard", "prorated"].map((plan) => ({ service: "acme-db/postgres", plan })),
  ...["free", "growth"].map((plan) => ({ service: "acme-analytics/product-analytics", plan })),
  ...["queue_small", "queue_large"].map((plan) => ({ service: "acme-queue/queue-small", plan })),
] as const;
/** Refusals that a customer must expect. Any other error fails the campaign. */
const REFUSALS: ReadonlySet<number> = new Set([402, 403, 404, 409, 502]);

/** The final answers, by action and error code. */
export class Answers {
  readonly counts: Record<string, number> = {};
  /** The longest time from a request to its final answer, retries included. */
  slowestMs = 0;

  /** Waits for the final answer. Returns it, or undefined for a refusal. */
  async of<Data>(action: string, send: () => ApiPromise<Data>): Promise<Data | undefined> {
    const startedMs = performance.now();
    const answer = await send().catch((error: unknown) => {
      if (error instanceof APIError && REFUSALS.has(error.status)) return error;
      throw error;
    });
    this.slowestMs = Math.max(this.slowestMs, Math.round(performance.now() - startedMs));
    const isRefusal = answer instanceof APIError;
    const name = `${action} ${isRefusal ? answer.code : "done"}`;
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    return isRefusal ? undefined : answer;
  }
}

type Action = (project: Project, service: Service, answers: Answers) => Promise<void>;

/** What a customer does with a service that is in place. */
const ACTIONS: readonly Action[] = [remove, rotate, rotate, rotate, upgrade, upgrade, upgrade];

/** Does one random thing with the project or one of its services. Returns false after the project was deleted. */
export async function actOnce(project: Project, answers: Answers): Promise<boolean> {
  const { projectId, customer } = project;
  const { data: services } = await customer.purser.projects.services.list(projectId);
  if (random(DELETED_EVERY) === 0) {
    await deleteProject(project, answers);
    return false;
  }
  const active = services.filter(({ status }) => status === "active");
  const candidates = random(ANY_SERVICE_EVERY) > 0 ? active : services;
  if (candidates.length === 0 || (services.length < SERVICES_MAX && random(3) === 0)) {
    if (services.length < SERVICES_MAX) await add(project, services, answers);
  } else {
    const action = pick(ACTIONS, random(ACTIONS.length));
    await action(project, pick(candidates, random(candidates.length)), answers);
  }
  return true;
}

async function add(project: Project, services: readonly Service[], answers: Answers): Promise<void> {
  const { projectId, customer } = project;
  const body = { ...pick(OFFERS, random(OFFERS.length)), name: freeName(services) };
  const added = await answers.of("add", () => customer.purser.projects.services.add(projectId, body));
  if (added !== undefined) return;
  const { billing } = await customer.purser.projects.get(projectId);
  if (billing.status === "none" || billing.status === "requires_payment_method") {
    await attachCard(project);
  }
}

function freeName(services: readonly Service[]): string {
  const taken = new Set(services.map(({ name }) => name));
  let number = 1;
  while (taken.has(`s${number}`)) number += 1;
  return `s${number}`;
}

export async function remove(
  { projectId, customer }: Project,
  { service_id: serviceId }: Pick<Service, "service_id">,
  answers: Answers,
): Promise<void> {
  const { services } = customer.purser.projects;
  await answers.of("remove", () => services.remove(projectId, serviceId));
}

/** Rotates the service's credentials. */
export async function rotate(
  { projectId, customer }: Project,
  { service_id: serviceId }: Pick<Service, "service_id">,
  answers: Answers,
): Promise<void> {
  const { services } = customer.purser.projects;
  const body = {
    grace_period_seconds: random(GRACE_SECONDS_MAX + 1),
    reason: random(4) === 0 ? ("compromised" as const) : ("scheduled" as const),
    retire_previous: random(2) === 0,
  };
  await answers.of("rotate", () => services.rotate(projectId, serviceId, body));
}

/** Changes the service's plan, at once or at the end of the month. A plan that does not allow changes is refused. */
async function upgrade(
  { projectId, customer }: Project,
  { service_id: serviceId, service, plan: current, allowed_updates: allowed }: Service,
  answers: Answers,
): Promise<void> {
  const { services } = customer.purser.projects;
  const others = OFFERS.filter((offer) => offer.service === service && offer.plan !== current);
  const plans = allowed.length > 0 ? allowed : others.map(({ plan }) => plan);
  const plan = pick(plans, random(plans.length));
  const effective = random(5) === 0 ? ("period_end" as const) : ("immediate" as const);
  await answers.of("upgrade", () => services.upgrade(projectId, serviceId, { plan, effective }));
}

/** Deletes the project, and repeats this until it is gone. */
export async function deleteProject({ projectId, customer }: Project, answers: Answers): Promise<void> {
  const { projects } = customer.purser;
  while ((await answers.of("delete", () => projects.delete(projectId))) !== undefined);
  customer.projects.delete(projectId);
}
