import { defineConfig } from "vitest/config";

/** Test files that run in the same worker share modules, so that each module is loaded and compiled once per worker. */
const SHARED = { isolate: false } as const;

export default defineConfig({
  test: {
    globalSetup: ["service/test/global-setup.ts"],
    // The timeouts are long, because three workers may share two CPU cores.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    teardownTimeout: 60_000,
    maxWorkers: 3,
    restoreMocks: true,
    unstubEnvs: true,
    // The modules are loaded by Node instead of Vite, because Node caches compiled code for the next worker.
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
          include: ["{local/test,e2e,contracts,service/src/bin}/**/*.test.ts"],
        },
      },
    ],
  },
});
