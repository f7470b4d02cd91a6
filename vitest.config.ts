import { defineConfig } from "vitest/config";

/** Files of one worker share its modules: what was imported and compiled for one serves the next. */
const SHARED = { isolate: false } as const;

export default defineConfig({
  test: {
    globalSetup: ["service/test/global-setup.ts"],
    // Long, because three workers share two cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    maxWorkers: 3,
    restoreMocks: true,
    unstubEnvs: true,
    // Modules are loaded by Node itself, which keeps what it has compiled for the next worker.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    projects: [
      {
        extends: true,
        test: {
          ...SHARED,
          name: "unit",
          include: ["{simulators,sdk/typescript,embedded-postgres,local/src,scripts}/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          ...SHARED,
          name: "api",
          include: ["service/**/*.test.ts"],
          exclude: ["service/src/bin/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "process",
          include: ["{local/test,e2e,service/src/bin}/**/*.test.ts"],
        },
      },
    ],
  },
});
