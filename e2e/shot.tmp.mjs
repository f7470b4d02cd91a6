import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
const log = readFileSync("/tmp/start.log","utf8");
const email = "demo@purser.local", password = /with the password (\S+)\)/.exec(log)[1];
const base = "http://127.0.0.1:8080";
const [,, pathsArg = "", scheme = "light", width = "1280"] = process.argv;
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium-headless-shell", args: ["--no-sandbox"] });
const ctx = await browser.newContext({ viewport: { width: Number(width), height: 900 }, colorScheme: scheme });
const page = await ctx.newPage();
page.on("console", (m) => { if (m.type() === "error" && !/401/.test(m.text())) console.log("console:", m.text()); });
page.on("pageerror", (e) => console.log("pageerror:", e.message));
await page.goto(base + "/dashboard");
await page.getByLabel("Email address").fill(email, {timeout: 3000});
await page.screenshot({ path: `/tmp/shots/login-${scheme}-${width}.png` });
await page.getByRole("textbox", { name: "Password" }).fill(password);
await page.getByRole("button", { name: "Sign in" }).click();
await page.waitForURL("**/dashboard/test**", { timeout: 10000 }).catch((e) => console.log(String(e).slice(0, 200), page.url()));
await page.waitForTimeout(800);
for (const path of pathsArg.split(",").filter(Boolean)) {
  await page.goto(base + "/dashboard/" + path);
  await page.waitForTimeout(1200);
  await page.screenshot({ path: `/tmp/shots/${path.replaceAll("/", "_")}-${scheme}-${width}.png`, fullPage: true });
}
await browser.close();
