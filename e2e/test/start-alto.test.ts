import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { prepareAlto } from "../src/start-alto.ts";

it("says how to install Alto", async () => {
  await expect(prepareAlto("/none/alto.js")).rejects.toThrow("npm ci --prefix e2e/bundler");
});

it("answers with 503 before Alto is started, and says why Alto has ended", async () => {
  const folder = await mkdtemp(join(tmpdir(), "purser-alto-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const program = join(folder, "alto.js");
  await writeFile(program, 'console.error("no chain at", process.argv.join(" ")); process.exit(1);');
  const alto = await prepareAlto(program);
  onTestFinished(alto.close);
  const { status } = await fetch(`${alto.url}/v2/8453/rpc?apikey=key`, { method: "POST", body: "{}" });
  expect(status).toBe(503);
  await expect(alto.start("http://127.0.0.1:1/base")).rejects.toThrow(/ended: no chain at .*127\.0\.0\.1:1\/base/);
});
