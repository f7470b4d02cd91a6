import { defineConfig } from "vitest/config";

/** The projects do not extend the root's options, because each would then run the global setup again. */
const OPTIONS = {
  // The timeouts are long, because three workers may share two CPU cores.
  testTimeout: 30_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 15_000 } },
  restoreMocks: true,
  unstubEnvs: true,
  // The message of an error shows what differs. CI prints only the message of a failed test.
  chaiConfig: { truncateThreshold: 600 },
  // The modules are loaded by Node instead of Vite, because Node caches compiled code for the next worker.
  experimental: { viteModuleRunner: false, nodeLoader: false },
} as const;

/** Test files that run in the same worker share modules, so that each module is loaded and compiled once per worker. */
const SHARED = { ...OPTIONS, isolate: false } as const;

export default defineConfig({
  test: {
    ...OPTIONS,
    globalSetup: ["service/test/global-setup.ts"],
    teardownTimeout: 60_000,
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...SHARED,
          name: "unit",
          include: ["{simulators,sdk/typescript,cli,embedded-postgres,local/src,scripts}/**/*.test.ts"],
        },
      },
      {
        test: {
          ...SHARED,
          name: "api",
          include: ["service/**/*.test.ts"],
          exclude: ["service/src/bin/**"],
        },
      },
      {
        test: {
          ...OPTIONS,
          // Starting the local profile alone may take 90 seconds.
          testTimeout: 120_000,
          hookTimeout: 180_000,
          name: "process",
          include: ["{local/test,e2e,contracts,service/src/bin}/**/*.test.ts"],
        },
      },
    ],
  },
});
