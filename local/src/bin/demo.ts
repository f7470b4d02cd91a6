import { runDemo } from "../demo/run-demo.ts";

await runDemo((text) => process.stdout.write(text)).catch((error: unknown) => {
  console.error(
    `\nThe demo stopped here: ${error instanceof Error ? error.message : String(error)}`,
  );
  process.exitCode = 1;
});
