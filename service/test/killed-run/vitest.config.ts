import { defineConfig } from "vitest/config";

/**
 * A run of the tests that `service/test/killed-run.test.ts` kills.
 *
 * @public Vitest imports it.
 */
export default defineConfig({
  test: {
    include: ["service/test/killed-run/*.fixture.ts"],
    globalSetup: ["service/test/global-setup.ts"],
    maxWorkers: 2,
    // A busy machine takes its time over a new database.
    testTimeout: 120_000,
  },
});
