import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CAMPAIGN_EACH } from "../../../service/test/campaign.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** Runs a test file with more repetitions and with the cases that the suite skips. */
export async function runTestFile(file: string, each: number): Promise<{ exitCode: number }> {
  const child = spawn(process.execPath, ["node_modules/vitest/vitest.mjs", "run", file], {
    cwd: ROOT,
    env: { ...process.env, [CAMPAIGN_EACH]: String(each) },
    // Standard output is reserved for the figures.
    stdio: ["ignore", process.stderr, process.stderr],
  });
  const [exitCode] = await once(child, "close");
  return { exitCode: exitCode ?? 1 };
}
