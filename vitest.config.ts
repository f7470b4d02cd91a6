import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "{service,simulators,embedded-postgres,local,e2e,scripts}/**/*.test.ts",
      "sdk/typescript/**/*.test.ts",
    ],
    globalSetup: ["service/test/global-setup.ts"],
    // Two cores: a test that waits for a process of its own shares them with the others.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
