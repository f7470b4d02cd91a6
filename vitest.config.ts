import { defineConfig } from "vitest/config";

/** Files of one worker share its modules: what was imported and compiled for one serves the next. */
const SHARED = { isolate: false } as const;

export default defineConfig({
  test: {
    globalSetup: ["service/test/global-setup.ts"],
    // Two cores, which three workers keep busy: a test that waits for a process of its own shares them with the others.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 3,
    restoreMocks: true,
    unstubEnvs: true,
    execArgv: ["--max-semi-space-size=64"],
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
