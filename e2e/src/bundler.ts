import { runDemo } from "../../local/src/demo/run-demo.ts";
import { showWallets } from "../../local/src/demo/show-wallets.ts";
import { prepareAlto } from "./start-alto.ts";

/** `npm run bundler`: shows what `npm run demo -- wallets` shows, with Alto in place of the simulated bundler. */

async function showWithAlto(): Promise<void> {
  const alto = await prepareAlto();
  try {
    await runDemo(
      async (context) => {
        await context.steps.do("Start Alto", async () => {
          await alto.start(`${context.networksUrl}/base`);
          return { result: undefined, message: alto.url };
        });
        await showWallets(context);
      },
      (text) => process.stdout.write(text),
      { bundlerUrl: alto.url },
    );
  } finally {
    await alto.close();
  }
}

await showWithAlto().catch((error: unknown) => {
  console.error(`\nThe run failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
