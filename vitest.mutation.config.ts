import { defineConfig } from "vitest/config";

/** The tests that `npm run mutation` runs. The code under test needs no database. */
export default defineConfig({
  test: {
    include: [
      "service/src/{crypto,foundation}/**/*.test.ts",
      "service/src/audit/{chains/chain,checkpoints/signed-checkpoint}.test.ts",
      "service/src/http/routes/projects/format-dotenv.test.ts",
      "service/src/modules/env/assemble-env.test.ts",
      "service/src/modules/projects/usage.test.ts",
      "service/src/modules/services/{env-names,service-env}.test.ts",
      "sdk/typescript/src/*.test.ts",
      "sdk/typescript/test/audit-verifier.test.ts",
    ],
    exclude: ["service/src/crypto/passwords.test.ts"],
    // The timeout is long, so that a slow test on a busy machine does not fail.
    testTimeout: 30_000,
    restoreMocks: true,
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
