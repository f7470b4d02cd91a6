import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type StartLine, start, useLocalProfile } from "../../local/test/local-profile.ts";
import { type BrowserSession, useChromium } from "./browser/chromium.ts";
import { type HostileSite, selfSubmittingForm, startHostileSite } from "./browser/hostile-site.ts";
import { loginStepsAt } from "./browser/login-steps.ts";
import { createTestUsers, type TestUser } from "./browser/test-users.ts";

/** This limit is high, because browsers are slow on a busy machine. */
const TEST_MAX_MS = 120_000;
const API = "/api/v1/svc";
const SITES = ["sameSite", "crossSite"] as const;

let line: StartLine;
let hostile: HostileSite;
const lab = useLocalProfile(afterAll);
const chromium = useChromium(() => line.base_url);
const users = createTestUsers(() => line);
const { at, logIn, untilLoggedIn } = loginStepsAt(() => line.base_url);

describe.skipIf(chromium.missing)("a browser on another site's page", { timeout: TEST_MAX_MS }, () => {
  beforeAll(async () => {
    hostile = await startHostileSite();
    ({ line } = await start(await lab.stoppedDataDir()));
  }, TEST_MAX_MS);
  afterAll(() => hostile.stop());

  it.each(SITES)("403: the page submits a form to Purser (%s)", async (site) => {
    const victim = await logInWithPendingDevice();
    const { page, user } = victim;
    const before = await readAccount(user);

    for (const { path, fields, enctype, refused } of FORMS) {
      hostile.put(selfSubmittingForm(at(path), fields, enctype));
      const responded = page.waitForResponse((response) => response.request().method() === "POST");
      await page.goto(hostile[site], { waitUntil: "commit" });
      const status = (await responded).status();
      expect([path, refused.includes(status)]).toEqual([path, true]);
      if (status !== 204) await page.waitForURL(at(path));
    }

    await expectUnchanged(victim, before);
  });

  it.each(SITES)("changes nothing when a script on the page calls Purser (%s)", async (site) => {
    const victim = await logInWithPendingDevice();
    const { page, user, context } = victim;
    const { project_id } = await user.api.projects.create({ name: "Unchanged" });
    const before = await readAccount(user);
    const attempts = (await unsafeOperations()).map(({ method, path }) => ({
      url: at(path.replace("{project_id}", project_id).replaceAll(/\{\w+\}/g, "unknown")),
      method,
    }));
    expect(attempts.length).toBeGreaterThan(40);
    hostile.put("");
    await page.goto(hostile[site]);
    const done = new Set<string>();
    const unavailable = new Set<string>();
    context.on("response", (response) => {
      if (response.request().method() !== "POST") return;
      if (response.status() === 503) unavailable.add(response.url());
      else if (!isRefusal(response.status())) done.add(response.url().replace(at(API), ""));
    });

    const read = await page.evaluate(callAll, attempts);
    // A busy server can respond 503 before it checks a request. These requests are sent again.
    while (unavailable.size > 0) {
      const repeated = attempts.filter(({ url }) => unavailable.has(url));
      unavailable.clear();
      read.push(...(await page.evaluate(callAll, repeated)));
    }

    // The script cannot read any response to a request with cookies.
    expect(read).toEqual([]);
    expect([...done].sort()).toEqual(SAFE_OPERATIONS);
    await expectUnchanged(victim, before);
  });

  it.each(SITES)("does not let a script on the page read who is logged in (%s)", async (site) => {
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

  it.each(SITES)("does not show Purser's pages in a frame (%s)", async (site) => {
    const { page, problems, userCode } = await logInWithPendingDevice();
    for (const path of ["/login", "/dashboard", `/device?user_code=${userCode}`]) {
      hostile.put(`<iframe src="${at(path)}"></iframe>`);
      await page.goto(hostile[site]);
      await page.waitForLoadState("networkidle");
      const [frame] = page.mainFrame().childFrames();

      expect(await frame?.locator("form").count()).toBe(0);
      expect(frame?.url()).toMatch(/^chrome-error:/);
    }
    for (const problem of problems.splice(0)) expect(problem).toContain("frame-ancestors");
  });

  it("does not execute a script that was injected into one of Purser's pages", async () => {
    const { page, problems } = await logInVictim();
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
    const blocked = problems.splice(0);
    expect(blocked.length).toBeGreaterThan(1);
    for (const problem of blocked) expect(problem).toContain("Content Security Policy");
  });
});

interface Victim extends BrowserSession {
  readonly user: TestUser;
}

async function logInVictim(): Promise<Victim> {
  const user = await users.signUp();
  const session = await chromium.newSession();
  await logIn(session.page, user);
  await untilLoggedIn(session.page, user.email);
  return { ...session, user };
}

/** Logs in a victim and starts a device login for the attacker. The device login waits for approval. */
async function logInWithPendingDevice() {
  const device = await users.anonymousClient().developers.devices.begin({ client_name: "mallory's" });
  return { ...(await logInVictim()), userCode: device.user_code };
}

/** Returns the account data that an attack could change. */
async function readAccount({ api: { developers, projects } }: TestUser) {
  const sessions = await developers.sessions.list();
  return {
    profile: await developers.getDashboardProfile(),
    sessions: sessions.data.map(({ session_id }) => session_id).sort(),
    projects: (await projects.list()).data,
  };
}

/**
 * Expects that the account is unchanged, that the browser is still logged in, and that the device login is still
 * pending.
 */
async function expectUnchanged(
  { page, user, userCode }: Awaited<ReturnType<typeof logInWithPendingDevice>>,
  before: Awaited<ReturnType<typeof readAccount>>,
): Promise<void> {
  expect(await readAccount(user)).toEqual(before);
  await page.goto(at("/login"));
  await untilLoggedIn(page, user.email);
  await page.goto(at(`/device?user_code=${userCode}`));
  await page.getByRole("button", { name: "Deny" }).click();
  await page.getByRole("heading", { name: "Denied" }).waitFor();
}

interface Form {
  readonly path: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly enctype?: string;
  /** Statuses that count as a rejection. API routes respond 401 if the browser sends no cookies. */
  readonly refused: readonly number[];
}

const PROJECT = '{"name":"Mallory","monthly_cap":"1.00","region":"';
const REFUSED = { refused: [401, 403] };

const FORMS: readonly Form[] = [
  { path: `${API}/developers/register`, fields: {}, ...REFUSED },
  { path: `${API}/projects`, fields: { [PROJECT]: '"}' }, enctype: "text/plain", ...REFUSED },
  // Purser ignores a logout request from another site, but can still respond 204.
  { path: `${API}/developers/logout`, fields: {}, enctype: "text/plain", refused: [204, 415] },
];

/**
 * Operations that accept requests from another site but do not use the cookies. The logout operations have no effect.
 * `device` and `state` start a login that the site cannot complete, because it cannot read the response.
 */
const SAFE_OPERATIONS = [
  "/admin/logout",
  "/developers/logout",
  "/developers/oauth/device",
  "/developers/oauth/github/state",
];

interface Attempt {
  readonly url: string;
  readonly method: string;
}

/** Returns every operation in the OpenAPI document that is not a GET or HEAD. */
async function unsafeOperations() {
  const response = await fetch(at("/openapi.json"));
  const { paths } = (await response.json()) as { paths: Record<string, Record<string, unknown>> };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations)
      .map((method) => ({ method: method.toUpperCase(), path }))
      .filter(({ method }) => method !== "GET" && method !== "HEAD"),
  );
}

/**
 * Runs in the browser, on the attacker's page. Sends each request with the browser's cookies and with CORS, and each
 * POST also in `no-cors` mode. Returns the URLs whose responses the script can read.
 */
async function callAll(attempts: readonly Attempt[]): Promise<string[]> {
  const body = '{"name":"Mallory","all_sessions":true}';
  const requests = attempts.flatMap(({ url, method }): [string, RequestInit][] => {
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
    requests.map(async ([url, init]) => {
      const response = await fetch(url, init).catch(() => undefined);
      return response === undefined || response.type === "opaque" ? [] : [url];
    }),
  );
  return read.flat();
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}
