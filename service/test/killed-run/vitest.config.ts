import { defineConfig } from "vitest/config";

/**
 * Configuration of the test run that `service/test/killed-run.test.ts` starts and kills.
 *
 * @public Vitest imports it.
 */
export default defineConfig({
  test: {
    include: ["service/test/killed-run/*.fixture.ts"],
    globalSetup: ["service/test/global-setup.ts"],
    maxWorkers: 2,
    // Creating a database can be slow on a busy machine.
    testTimeout: 120_000,
  },
});
