import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartLine, start, useLocalLab } from "../../local/test/local-lab.ts";
import { useChromium, type Visitor } from "./browser/chromium.ts";
import { type HostileSite, sendingItself, startHostileSite } from "./browser/hostile-site.ts";
import { loginStepsAt } from "./browser/login-steps.ts";
import { PASSWORD, type Person, peopleOf } from "./browser/people.ts";

/** A machine that does much else takes its time over a browser. */
const TEST_MAX_MS = 120_000;
const API = "/api/v1/svc";
const SITES = ["sameSite", "crossSite"] as const;

let line: StartLine;
let hostile: HostileSite;
const lab = useLocalLab(afterAll);
const chromium = useChromium(() => line.base_url);
const people = peopleOf(() => line);
const { at, logIn, untilLoggedIn } = loginStepsAt(() => line.base_url);

describe.skipIf(chromium.missing)("a browser on another's page", { timeout: TEST_MAX_MS }, () => {
  beforeAll(async () => {
    hostile = await startHostileSite();
    ({ line } = await start(await lab.stoppedDataDir()));
  }, TEST_MAX_MS);
  afterAll(() => hostile.stop());

  it.each(SITES)("sends none of our forms for it (%s)", async (site) => {
    const victim = await logInBaited();
    const { page, person, userCode } = victim;
    const before = await whatIs(person);
    const own = await attackersOwn();

    for (const { path, fields, enctype, refused = [403] } of formsAt({ person, userCode, own })) {
      hostile.put(sendingItself(at(path), fields, enctype));
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      await page.goto(hostile[site], { waitUntil: "commit" });
      const status = (await answered).status();
      expect([path, refused.includes(status)]).toEqual([path, true]);
      if (status !== 204) await page.waitForURL(at(path));
    }

    await untilUnharmed(victim, before);
  });

  it.each(SITES)("changes nothing by any call that its script can make (%s)", async (site) => {
    const victim = await logInBaited();
    const { page, person, context } = victim;
    const { project_id } = await person.api.projects.create({ name: "Kept" });
    const before = await whatIs(person);
    const attempts = (await unsafeOperations()).map(({ method, path }) => ({
      url: at(path.replace("{project_id}", project_id).replaceAll(/\{\w+\}/g, "kept")),
      method,
    }));
    expect(attempts.length).toBeGreaterThan(40);
    hostile.put("");
    await page.goto(hostile[site]);
    const done = new Set<string>();
    context.on("response", (response) => {
      const path = response.url().replace(at(API), "");
      if (response.request().method() === "POST" && !isRefusal(response.status())) done.add(path);
    });

    const read = await page.evaluate(callAll, attempts);

    // What may be read is what nobody could have sent with a cookie.
    expect(read).toEqual([]);
    expect([...done].sort()).toEqual(HARMLESS);
    await untilUnharmed(victim, before);
  });

  it.each(SITES)("tells it nothing of who is logged in (%s)", async (site) => {
    const { page } = await logInVictim();
    hostile.put("");
    await page.goto(hostile[site]);

    const paths = [`${API}/developers/dashboard/me`, `${API}/projects`, "/login", "/device"];
    const read = await page.evaluate(
      callAll,
      paths.map((path) => ({ url: at(path), method: "GET" })),
    );

    expect(read).toEqual([]);
  });

  it.each(SITES)("shows none of our pages in a frame of it (%s)", async (site) => {
    const { page, complaints, userCode } = await logInBaited();
    for (const path of ["/login", `/device?user_code=${userCode}`]) {
      hostile.put(`<iframe src="${at(path)}"></iframe>`);
      await page.goto(hostile[site]);
      await page.waitForLoadState("networkidle");
      const [frame] = page.mainFrame().childFrames();

      expect(await frame?.locator("form").count()).toBe(0);
      expect(frame?.url()).toMatch(/^chrome-error:/);
    }
    for (const complaint of complaints.splice(0)) expect(complaint).toContain("frame-ancestors");
  });

  it("runs no script that found its way into a page of ours", async () => {
    const { page, complaints } = await logInVictim();
    await page.goto(at("/login"));

    const ran = await page.evaluate(`new Promise((resolve) => {
      const script = document.createElement("script");
      script.textContent = "window.ran = 'script'";
      document.body.append(script);
      const image = document.createElement("img");
      image.setAttribute("onerror", "window.ran = 'handler'");
      image.src = "data:,";
      document.body.append(image);
      setTimeout(() => resolve(window.ran ?? "nothing"), 100);
    })`);

    expect(ran).toBe("nothing");
    const seen = complaints.splice(0);
    expect(seen.length).toBeGreaterThan(1);
    for (const complaint of seen) expect(complaint).toContain("Content Security Policy");
  });
});

interface Victim extends Visitor {
  readonly person: Person;
}

async function logInVictim(): Promise<Victim> {
  const person = await people.signUp();
  const visitor = await chromium.newVisitor();
  await logIn(visitor.page, person);
  await untilLoggedIn(visitor.page, person.email);
  return { ...visitor, person };
}

/** The same, with the code of a device of the attacker's, which waits for somebody to approve it. */
async function logInBaited() {
  const device = await people.visitor().developers.devices.begin({ client_name: "mallory's" });
  return { ...(await logInVictim()), userCode: device.user_code };
}

/** Everything of an account that a stranger's page might want to change. */
async function whatIs({ api: { developers, projects } }: Person) {
  const sessions = await developers.sessions.list();
  return {
    profile: await developers.getDashboardProfile(),
    sessions: sessions.data.map(({ session_id }) => session_id).sort(),
    projects: (await projects.list()).data,
  };
}

/** That all is as it was, that the browser is logged in as the same person, and that the device still waits for them. */
async function untilUnharmed(
  { page, person, userCode }: Awaited<ReturnType<typeof logInBaited>>,
  before: Awaited<ReturnType<typeof whatIs>>,
): Promise<void> {
  expect(await whatIs(person)).toEqual(before);
  await page.goto(at("/login"));
  await untilLoggedIn(page, person.email);
  await page.goto(at(`/device?user_code=${userCode}`));
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("heading", { name: "Refused" }).waitFor();
}

/** What an attacker can put into a form of theirs: their own account, and a field that was made for their browser. */
async function attackersOwn() {
  const { email } = await people.signUp();
  const { page } = await chromium.newVisitor();
  await page.goto(at("/login"));
  return { email, once: await onceIn(page) };
}

async function onceIn(page: Page): Promise<string> {
  return (await page.locator("input[name=once]").first().getAttribute("value")) ?? "";
}

interface Form {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly enctype?: string;
  /** How it may be answered. 401 where the browser kept the cookies to itself, which another origin of our site cannot have. */
  readonly refused?: readonly number[];
}

function formsAt({
  person,
  userCode,
  own: { email, once },
}: {
  readonly person: Person;
  readonly userCode: string;
  readonly own: Awaited<ReturnType<typeof attackersOwn>>;
}): readonly Form[] {
  const project = '{"name":"Mallory","monthly_cap":"1.00","region":"';
  const api = { refused: [401, 403] };
  return [
    { path: "/login", fields: { once, email, password: PASSWORD } },
    { path: "/login/out", fields: { once } },
    { path: "/login/code", fields: { once, mfa_token: "guessed", code: "000000" } },
    { path: "/login/forgot", fields: { once, email: person.email } },
    {
      path: "/login/reset",
      fields: { once, token: "guessed", password: "a wholly other whistle" },
    },
    { path: "/device", fields: { once, user_code: userCode, decision: "live" } },
    { path: `${API}/developers/register`, fields: {}, ...api },
    { path: `${API}/projects`, fields: { [project]: '"}' }, enctype: "text/plain", ...api },
    // Says the same to everybody, and does nothing for another's page.
    { path: `${API}/developers/logout`, fields: {}, enctype: "text/plain", refused: [204, 415] },
  ];
}

/**
 * What is done whoever asks, none of it with the cookies: two that do nothing for another's page, and two that begin a login
 * which only those can complete who read the answer.
 */
const HARMLESS = [
  "/admin/logout",
  "/developers/logout",
  "/developers/oauth/device",
  "/developers/oauth/github/state",
];

interface Attempt {
  readonly url: string;
  readonly method: string;
}

/** Every operation that changes something, as the service itself describes them. */
async function unsafeOperations() {
  const answer = await fetch(at("/openapi.json"));
  const { paths } = (await answer.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => ({ method: method.toUpperCase(), path }))
      .filter(({ method }) => method !== "GET" && method !== "HEAD"),
  );
}

/**
 * Runs in the page. Sends each as a script may that asks nobody, with the browser's cookies: what needs no permission without
 * one, all else as JSON. The addresses whose answers it could read.
 */
async function callAll(attempts: readonly Attempt[]): Promise<string[]> {
  const body = '{"name":"Mallory","all_sessions":true}';
  const ways = attempts.flatMap(({ url, method }): [string, RequestInit][] => {
    const init: RequestInit = { method, credentials: "include", mode: "cors" };
    if (method === "GET") return [[url, init]];
    const asJson = { ...init, body, headers: { "content-type": "application/json" } };
    return method === "POST"
      ? [
          [url, asJson],
          [url, { ...init, mode: "no-cors" }],
          [url, { ...init, mode: "no-cors", body }],
        ]
      : [[url, asJson]];
  });
  const read = await Promise.all(
    ways.map(async ([url, init]) => {
      const answer = await fetch(url, init).catch(() => undefined);
      return answer === undefined || answer.type === "opaque" ? [] : [url];
    }),
  );
  return read.flat();
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
