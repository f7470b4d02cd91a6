import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type AgenticService, variableNameOf } from "@purser/service/adapters/service-provider/agentic/agentic-wire.ts";
import { checkAccount, checkRefresh, checkRevocation } from "./check-account.ts";
import { checkHealth, checkServices, chooseOf, type Offered } from "./check-services.ts";
import { type Kit, type KitOptions, type KitResult, openKit } from "./kit.ts";
import type { KitAnswer } from "./kit-client.ts";

const POLL_MS = 500;
const READY_WITHIN_MS = 60_000;

/**
 * Leads a provider through its life: services, account, tokens, resource, rotation, change of plan, removal,
 * revocation of the tokens.
 */
export async function runProviderKit(options: KitOptions): Promise<readonly KitResult[]> {
  const kit = openKit(options);
  await checkHealth(kit);
  const services = await checkServices(kit);
  const issued = await checkAccount(kit);
  if (services === undefined || issued === undefined) return kit.results;
  const tokens = await checkRefresh(kit, issued);
  const token = tokens.access;
  const ids: string[] = [];
  try {
    const made = await checkCreation(kit, services, { token, ids });
    if (made === undefined) return kit.results;
    await checkAccess(kit, made);
    await checkRotation(kit, made);
    await checkUpdate(kit, services, made);
    await checkDeepLink(kit, token);
    await checkRemoval(kit, made);
  } finally {
    await removeAll(kit, token, ids);
  }
  await checkRevocation(kit, tokens);
  return kit.results;
}

/** Removes what the kit has created, the last one first, because a plan is created before its service. */
async function removeAll({ check, call }: Kit, token: string, ids: readonly string[]) {
  await check("remove everything", async (problem) => {
    for (const id of new Set(ids.toReversed())) {
      const answer = await call("POST", `${pathOf(id)}/remove`, { token }).catch(() => undefined);
      const isGone = [200, 403, 404].includes(answer?.status ?? 0);
      if (!isGone) problem(`The resource ${id} could not be removed.`);
    }
  });
}

interface Made {
  readonly token: string;
  /** The id of the deployable's resource, and of its plan's resource if that is another one. */
  readonly id: string;
  readonly planId: string;
  readonly offer: Offered["plans"][number];
  readonly credentials: Readonly<Record<string, string>>;
}

async function checkCreation(
  kit: Kit,
  services: readonly AgenticService[],
  { token, ids }: { readonly token: string; readonly ids: string[] },
): Promise<Made | undefined> {
  const chosen = chooseOf(services);
  if (chosen === undefined) return undefined;
  const { offer, found } = chosen;
  const project_id = `svc-kit-${randomBytes(8).toString("hex")}`;
  const create = async (body: object) => {
    const order = { token, body: { project_id, ...body } };
    const answer = await kit.call("POST", "/provisioning/resources", order);
    if (typeof answer.body.id === "string") ids.push(answer.body.id);
    return answer;
  };
  const plan = found.hasPlanServices
    ? await kit.check("create the plan", async () =>
        resourceOf(await create({ service_id: offer.plan, ...paymentOf(kit) }), ["complete"]),
      )
    : null;
  if (plan === undefined) return undefined;
  const order = {
    service_id: found.deployable.id,
    configuration: {},
    ...(plan === null && paymentOf(kit)),
  };
  const first = await kit.check("create", async () => resourceOf(await create(order), ["complete", "pending"]));
  if (first === undefined) return undefined;
  const id = String(first.body.id);
  await kit.check("create twice", async (problem) => {
    const again = resourceOf(await create(order), ["complete", "pending"]);
    if (again.body.id === id) return;
    problem(
      "A second request with the same project_id created another resource. After an answer that is lost, one of them would stay.",
    );
  });
  const credentials = (await checkReady(kit, { token, id, first })) ?? {};
  return { token, id, planId: String(plan?.body.id ?? id), offer, credentials };
}

function paymentOf({ options: { paymentToken } }: Kit) {
  if (paymentToken === undefined) return {};
  const type = "stripe_payment_token";
  return { payment_credentials: { type, stripe_payment_token: paymentToken } };
}

function resourceOf(answer: KitAnswer, statuses: readonly string[]): KitAnswer {
  const { status, body } = answer;
  if (status !== 200) {
    throw new Error(`The answer has status ${status}: ${body.error?.code ?? "no error code"}.`);
  }
  if (typeof body.id !== "string" || !/^[A-Za-z0-9_.:-]{1,100}$/.test(body.id)) {
    throw new Error("The id is not 1 to 100 letters, digits and _.:-");
  }
  if (statuses.includes(body.status)) return answer;
  throw new Error(`The resource's status is ${body.status}, not ${statuses.join(" or ")}.`);
}

/** Waits until the resource is complete. Returns its credentials, which are empty if they have been shown. */
function checkReady(
  kit: Kit,
  { token, id, first }: { readonly token: string; readonly id: string; readonly first: KitAnswer },
) {
  const get = async () => resourceOf(await kit.call("GET", pathOf(id), { token }), ["complete", "pending"]);
  return kit.check("ready, with credentials", async (problem) => {
    let answer = first;
    for (let waitedMs = 0; answer.body.status === "pending"; waitedMs += POLL_MS) {
      if (waitedMs >= READY_WITHIN_MS) throw new Error("The resource is pending after a minute.");
      await delay(POLL_MS);
      answer = await get();
    }
    if (answer.body.id !== id) problem("The answer describes another resource.");
    const credentials = credentialsOf(answer);
    checkCredentials(credentials, problem);
    return credentials;
  });
}

function credentialsOf({ body }: KitAnswer): Made["credentials"] {
  return body.complete?.access_configuration ?? {};
}

function checkCredentials(credentials: object, problem: (text: string) => void): void {
  const entries = Object.entries(credentials);
  if (entries.some(([, value]) => typeof value !== "string")) {
    problem("access_configuration contains a value that is not text.");
  }
  if (entries.some(([key]) => !/^[A-Za-z][A-Za-z0-9_]{0,40}$/.test(key))) {
    problem("access_configuration contains a name that cannot become a variable.");
  }
  if (new Set(entries.map(([key]) => variableNameOf("kit", key))).size < entries.length) {
    problem("access_configuration contains two names that become the same variable.");
  }
}

function pathOf(id: string): string {
  return `/provisioning/resources/${encodeURIComponent(id)}`;
}

async function checkAccess({ check, call }: Kit, { id, token }: Made): Promise<void> {
  await check("get", async (problem) => {
    const { body } = resourceOf(await call("GET", pathOf(id), { token }), ["complete"]);
    if (body.id !== id) problem("The answer describes another resource.");
  });
  await check("wrong token", async (problem) => {
    const { status } = await call("GET", pathOf(id), { token: "wrong-token-of-the-kit" });
    if (status !== 401 && status !== 403) problem(`A wrong token got ${status} instead of 401.`);
  });
  await check("unknown resource", async (problem) => {
    const { status } = await call("GET", pathOf("res-unknown-of-the-kit"), { token });
    if (status !== 404 && status !== 403) problem(`An unknown resource got ${status}, not 404.`);
  });
}

async function checkRotation({ check, call }: Kit, { id, token, credentials }: Made): Promise<void> {
  const path = `${pathOf(id)}/rotate_credentials`;
  const rotate = async () => {
    return credentialsOf(resourceOf(await call("POST", path, { token }), ["complete"]));
  };
  await check("rotate", async (problem) => {
    const known = Object.keys(credentials).length > 0 ? credentials : await rotate();
    const rotated = await rotate();
    checkCredentials(rotated, problem);
    const names = Object.keys(known).sort();
    if (names.length === 0) return problem("rotate_credentials returned no credentials.");
    if (String(Object.keys(rotated).sort()) !== String(names)) {
      problem("rotate_credentials returned credentials with other names.");
    }
    if (names.every((name) => rotated[name] === known[name])) {
      problem("rotate_credentials returned the same secret: nothing was rotated.");
    }
  });
}

async function checkUpdate(
  kit: Kit,
  services: readonly AgenticService[],
  { planId, offer, token }: Made,
): Promise<void> {
  const path = `${pathOf(planId)}/update_service`;
  await kit.check("update to an unknown service", async (problem) => {
    const body = { service_id: "unknown-service-of-the-kit" };
    const { status } = await kit.call("POST", path, { token, body });
    if (status < 400 || status > 499) problem(`It got ${status}. It must be rejected with 4xx.`);
  });
  const next = services.find(({ id }) => offer.allowed_updates.includes(id));
  if (next === undefined) return kit.skip("update", "No plan allows an update.");
  await kit.check("update", async (problem) => {
    const body = { service_id: next.id, ...paymentOf(kit) };
    const { body: updated } = resourceOf(await kit.call("POST", path, { token, body }), ["complete", "pending"]);
    if (updated.id !== planId) problem("The answer describes another resource.");
    if ((updated.service_id ?? next.id) !== next.id) {
      problem(`The resource's service is ${updated.service_id}, not ${next.id}.`);
    }
  });
}

async function checkDeepLink(kit: Kit, token: string): Promise<void> {
  const call = () => kit.call("POST", "/provisioning/deep_links", { token, body: { purpose: "dashboard" } });
  const { status, body } = await call();
  if (status === 403 || status === 404) return kit.skip("deep link", "Not offered.");
  await kit.check("deep link", async (problem) => {
    if (status !== 200 || !URL.canParse(body.url)) throw new Error(`The answer (${status}) has no URL.`);
    const { protocol, host } = new URL(body.url);
    if (protocol !== "https:" && host !== new URL(kit.options.baseUrl).host) {
      problem("The URL does not use https.");
    }
    if (!(Date.parse(body.expires_at) > Date.now())) problem("expires_at is not in the future.");
    if ((await call()).body.url === body.url) problem("Two deep links have the same URL.");
  });
}

async function checkRemoval({ check, call }: Kit, { id, token }: Made): Promise<void> {
  const remove = () => call("POST", `${pathOf(id)}/remove`, { token });
  await check("remove", async (problem) => {
    const { status } = await remove();
    if (status !== 200) problem(`The answer has status ${status} instead of 200.`);
  });
  await check("get after remove", async (problem) => {
    const { status } = await call("GET", pathOf(id), { token });
    if (status !== 404 && status !== 403) {
      problem(`The resource still exists after remove: GET answers ${status} instead of 404.`);
    }
  });
  await check("remove twice", async (problem) => {
    const { status } = await remove();
    if (status !== 404 && status !== 200) problem(`It got ${status} instead of 404 or 200.`);
  });
}
