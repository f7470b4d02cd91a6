import type { Browser, BrowserContext, Page } from "playwright-core";

const VISITS = 5;
const ROWS = 10_000;
const SCROLLS = 300;
/** Half a window at each frame, which is faster than a hand turns a wheel. */
const SCROLL_PX = 400;

export interface Measured {
  /** From the start of the navigation until the balances are shown, in a browser without a cache. */
  readonly overviewMs: number;
  /** The longest task of the browser while a table of 10,000 rows is scrolled. Below 50 ms, the browser reports none. */
  readonly longestScrollTaskMs: number;
  /** Hosts other than this machine that were asked for something. */
  readonly foreignHosts: readonly string[];
}

/** Measures the dashboard in Chromium. `signIn` signs the visitor in on the page that is open. */
export async function measure(
  browser: Browser,
  baseUrl: string,
  signIn: (page: Page) => Promise<void>,
): Promise<Measured> {
  const first = await browser.newContext();
  const foreignHosts = new Set<string>();
  first.on("request", (request) => {
    const { hostname, protocol } = new URL(request.url());
    if (protocol.startsWith("http") && hostname !== "127.0.0.1") foreignHosts.add(hostname);
  });
  const page = await first.newPage();
  await page.goto(`${baseUrl}/dashboard/test`);
  await signIn(page);
  const { cookies } = await first.storageState();
  const visits: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const context = await browser.newContext();
    await context.addCookies(cookies);
    visits.push(await visitOverview(context, baseUrl));
    await context.close();
  }
  const longestScrollTaskMs = await scrollRows(page, baseUrl);
  await first.close();
  return {
    overviewMs: visits.sort((a, b) => a - b)[VISITS >> 1] ?? 0,
    longestScrollTaskMs,
    foreignHosts: [...foreignHosts],
  };
}

async function visitOverview(context: BrowserContext, baseUrl: string): Promise<number> {
  const page = await context.newPage();
  const start = performance.now();
  await page.goto(`${baseUrl}/dashboard/test`);
  await page.getByRole("heading", { name: "Balances" }).waitFor();
  return performance.now() - start;
}

/** Repeats the rows of the first answer, because a server with as many payments takes minutes to fill. */
async function scrollRows(page: Page, baseUrl: string): Promise<number> {
  await page.route("**/api/v1/svc/payments?*", async (route) => {
    const body = (await (await route.fetch()).json()) as { data: Readonly<Record<string, unknown>>[] };
    const data = Array.from({ length: ROWS }, (_, index) => ({
      ...body.data[index % body.data.length],
      payment_id: `pay_${index}`,
    }));
    await route.fulfill({ json: { ...body, data, has_more: false } });
  });
  await page.goto(`${baseUrl}/dashboard/test/payments`);
  await page
    .getByText(`${ROWS.toLocaleString("en")} shown`)
    .or(page.getByText(`${ROWS} shown`))
    .waitFor();
  return page.evaluate<number>(`new Promise(async (resolve) => {
    let longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ type: "longtask" });
    for (let step = 1; step <= ${SCROLLS}; step += 1) {
      window.scrollTo(0, ${SCROLL_PX} * step);
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    setTimeout(() => resolve(longest), 200);
  })`);
}
