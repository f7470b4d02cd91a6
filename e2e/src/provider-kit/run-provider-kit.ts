import { createHash, randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  catalogEntryOf,
  findOffer,
} from "@purser/service/adapters/service-provider/agentic-catalog.ts";
import {
  type AgenticService,
  Services,
} from "@purser/service/adapters/service-provider/agentic-wire.ts";
import { Check } from "typebox/value";
import { callProvider, type KitAnswer, type KitCall, VERSION } from "./kit-client.ts";

const POLL_MS = 500;
const READY_WITHIN_MS = 60_000;

export interface KitOptions {
  /** The URL below which the provider serves the protocol, without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Sent with paid plans. Undefined if the provider bills its users itself. */
  readonly paymentToken?: string | undefined;
  /** Gives consent on the provider's page as a user. Returns the URL that the page redirects to. */
  readonly consent: (url: string) => Promise<string>;
}

/** One check. `problem` is null if the provider passed. A check that the provider does not need is `skipped`. */
export interface KitResult {
  readonly check: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly detail: string | null;
}

interface Kit {
  readonly options: KitOptions;
  readonly results: KitResult[];
  call(method: "GET" | "POST", path: string, call?: KitCall): Promise<KitAnswer>;
  /** Runs a check. It fails with each message that `work` returns, or with the message of the error that it throws. */
  check<Result>(
    name: string,
    work: (problem: (text: string) => void) => Promise<Result>,
  ): Promise<Result | undefined>;
  skip(name: string, why: string): void;
}

/** Leads a provider through its life: services, account, tokens, resource, rotation, change of plan, removal. */
export async function runProviderKit(options: KitOptions): Promise<readonly KitResult[]> {
  const kit = openKit(options);
  await checkHealth(kit);
  const services = await checkServices(kit);
  const tokens = await checkAccount(kit);
  if (services === undefined || tokens === undefined) return kit.results;
  const token = await checkRefresh(kit, tokens);
  const made = await checkCreation(kit, services, token);
  if (made === undefined) return kit.results;
  await checkAccess(kit, made);
  await checkRotation(kit, made);
  await checkUpdate(kit, services, made);
  await checkDeepLink(kit, token);
  await checkRemoval(kit, made);
  return kit.results;
}

function openKit(options: KitOptions): Kit {
  const results: KitResult[] = [];
  return {
    options,
    results,
    call: (method, path, call) => callProvider(options.baseUrl, method, path, call),
    check: async (check, work) => {
      const problems: string[] = [];
      const result = await work((text) => problems.push(text)).catch((error: unknown) => {
        problems.push(error instanceof Error ? error.message : String(error));
        return undefined;
      });
      const passed = { check, outcome: "passed" as const, detail: null };
      const failed = problems.map((detail) => ({ check, outcome: "failed" as const, detail }));
      results.push(...(failed.length === 0 ? [passed] : failed));
      return result;
    },
    skip: (check, detail) => results.push({ check, outcome: "skipped", detail }),
  };
}

async function checkHealth({ check, call }: Kit): Promise<void> {
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

function checkServices({ check, call }: Kit): Promise<readonly AgenticService[] | undefined> {
  return check("services", async (problem) => {
    const { status, body } = await call("GET", "/provisioning/services");
    if (status !== 200 || !Check(Services, body)) {
      throw new Error(`The answer (${status}) is not a list of services with id and pricing.`);
    }
    const ids = body.data.map(({ id }) => id);
    if (new Set(ids).size !== ids.length) problem("Two services have the same id.");
    for (const { id, allowed_updates = [] } of body.data) {
      const targets = allowed_updates.map((each) =>
        typeof each === "string" ? each : each.service,
      );
      const unknown = targets.filter((target) => !ids.includes(target) && target !== "service_ref");
      if (unknown.length > 0)
        problem(`${id} allows an update to ${unknown}, which does not exist.`);
    }
    if (offersOf(body.data).length === 0) {
      problem("No deployable service has a plan with a price like $20/month.");
    }
    return body.data;
  });
}

/** Returns the services as Purser's catalog would show them. */
function offersOf(data: readonly AgenticService[]) {
  const facts = { provider: "kit", display_name: "Kit", billed_by: "vendor" as const };
  const entry = catalogEntryOf(facts, { data: [...data] }, "ok");
  return (entry as { readonly services: readonly Offered[] }).services;
}

interface Offered {
  readonly service: string;
  readonly plans: readonly { readonly plan: string; readonly allowed_updates: readonly string[] }[];
}

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

async function checkAccount(kit: Kit): Promise<Tokens | undefined> {
  const granted = await kit.check("account request", () => requestCode(kit));
  if (granted === undefined) return undefined;
  const tokens = await kit.check("token", () => exchange(kit, grantOf(granted)));
  await kit.check("code used twice", async (problem) => {
    const { status } = await kit.call("POST", "/oauth/token", { form: grantOf(granted) });
    if (status < 400) problem("A code was exchanged twice.");
  });
  await kit.check("wrong code verifier", async (problem) => {
    const { code } = await requestCode(kit);
    const form = grantOf({ code, verifier: newVerifier() });
    const { status } = await kit.call("POST", "/oauth/token", { form });
    if (status < 400)
      problem("A code was exchanged with another code verifier: PKCE is not checked.");
  });
  return tokens;
}

interface Granted {
  readonly code: string;
  readonly verifier: string;
}

async function requestCode({ call, options }: Kit): Promise<Granted> {
  const verifier = newVerifier();
  const { status, body } = await call("POST", "/provisioning/account_requests", {
    body: {
      id: `kit-${randomBytes(8).toString("hex")}`,
      email: `kit-${randomBytes(8).toString("hex")}@example.com`,
      client_id: options.clientId,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      scopes: [],
      confirmation_secret: randomBytes(24).toString("base64url"),
      expires_at: new Date(Date.now() + 600_000).toISOString(),
    },
  });
  if (body.type === "oauth" && typeof body.oauth?.code === "string") {
    return { code: body.oauth.code, verifier };
  }
  const url = body.requires_auth?.redirect?.url;
  if (body.type !== "requires_auth" || typeof url !== "string") {
    throw new Error(`The answer (${status}) has neither a code nor the URL of a consent page.`);
  }
  const back = new URL(await options.consent(url));
  const code = back.searchParams.get("code");
  if (code === null) throw new Error("The consent page redirected without a code.");
  return { code, verifier };
}

function newVerifier(): string {
  return randomBytes(32).toString("base64url");
}

function grantOf({ code, verifier }: Granted) {
  return { grant_type: "authorization_code", code, code_verifier: verifier };
}

async function exchange({ call }: Kit, form: Readonly<Record<string, string>>): Promise<Tokens> {
  const { status, body } = await call("POST", "/oauth/token", { form });
  const { access_token: access, refresh_token: refresh, expires_in } = body;
  const isWhole = [access, refresh].every((each) => typeof each === "string" && each !== "");
  if (status === 200 && isWhole && Number.isInteger(expires_in)) return { access, refresh };
  throw new Error(`The answer (${status}) lacks access_token, refresh_token or expires_in.`);
}

/** Returns the access token to use from now on. */
async function checkRefresh(kit: Kit, { access, refresh }: Tokens): Promise<string> {
  const tokens = await kit.check("refresh", async (problem) => {
    const fresh = await exchange(kit, { grant_type: "refresh_token", refresh_token: refresh });
    if (fresh.access === access) problem("The refreshed access token is the same one.");
    return fresh;
  });
  return tokens?.access ?? access;
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
  token: string,
): Promise<Made | undefined> {
  const chosen = chooseOf(services);
  if (chosen === undefined) return undefined;
  const { offer, found } = chosen;
  const project_id = `svc-kit-${randomBytes(8).toString("hex")}`;
  const create = (body: object) =>
    kit.call("POST", "/provisioning/resources", { token, body: { project_id, ...body } });
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
  const first = await kit.check("create", async () =>
    resourceOf(await create(order), ["complete", "pending"]),
  );
  if (first === undefined) return undefined;
  const id = String(first.body.id);
  await kit.check("create twice", async (problem) => {
    const again = resourceOf(await create(order), ["complete", "pending"]);
    if (again.body.id === id) return;
    problem(
      "A second request with the same project_id created another resource. After an answer that is lost, one of them would stay.",
    );
    await kit.call("POST", `${pathOf(String(again.body.id))}/remove`, { token });
  });
  const credentials = (await checkReady(kit, { token, id, first })) ?? {};
  return { token, id, planId: String(plan?.body.id ?? id), offer, credentials };
}

/** Returns the first service with its first plan. */
function chooseOf(services: readonly AgenticService[]) {
  const [offered] = offersOf(services);
  const [offer] = offered?.plans ?? [];
  if (offered === undefined || offer === undefined) return undefined;
  const found = findOffer(services, { service: offered.service, plan: offer.plan });
  return found === undefined ? undefined : { offer, found };
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
  const get = async () =>
    resourceOf(await kit.call("GET", pathOf(id), { token }), ["complete", "pending"]);
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

async function checkRotation(
  { check, call }: Kit,
  { id, token, credentials }: Made,
): Promise<void> {
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
    const { body: updated } = resourceOf(await kit.call("POST", path, { token, body }), [
      "complete",
      "pending",
    ]);
    if (updated.id !== planId) problem("The answer describes another resource.");
    if ((updated.service_id ?? next.id) !== next.id) {
      problem(`The resource's service is ${updated.service_id}, not ${next.id}.`);
    }
  });
}

async function checkDeepLink(kit: Kit, token: string): Promise<void> {
  const call = () =>
    kit.call("POST", "/provisioning/deep_links", { token, body: { purpose: "dashboard" } });
  const { status, body } = await call();
  if (status === 403 || status === 404) return kit.skip("deep link", "Not offered.");
  await kit.check("deep link", async (problem) => {
    if (status !== 200 || !URL.canParse(body.url))
      throw new Error(`The answer (${status}) has no URL.`);
    const { protocol, host } = new URL(body.url);
    if (protocol !== "https:" && host !== new URL(kit.options.baseUrl).host) {
      problem("The URL does not use https.");
    }
    if (!(Date.parse(body.expires_at) > Date.now())) problem("expires_at is not in the future.");
    if ((await call()).body.url === body.url) problem("Two deep links have the same URL.");
  });
}

async function checkRemoval({ check, call }: Kit, { id, planId, token }: Made): Promise<void> {
  const remove = (each: string) => call("POST", `${pathOf(each)}/remove`, { token });
  await check("remove", async (problem) => {
    const { status } = await remove(id);
    if (status !== 200) problem(`The answer has status ${status} instead of 200.`);
  });
  await check("get after remove", async (problem) => {
    const { status } = await call("GET", pathOf(id), { token });
    if (status !== 404 && status !== 403) {
      problem(`The resource still exists after remove: GET answers ${status} instead of 404.`);
    }
  });
  await check("remove twice", async (problem) => {
    const { status } = await remove(id);
    if (status !== 404 && status !== 200) problem(`It got ${status} instead of 404 or 200.`);
    if (planId !== id) await remove(planId);
  });
}
