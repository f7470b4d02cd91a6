import type { Program } from "../command-groups.ts";
import { planEnvFile } from "../env/env-file.ts";
import { readEnvFile, writeFileAtomically } from "../env/write-env-file.ts";

export function mcpCommand({ program, run }: Program): void {
  program
    .command("mcp")
    .description("Serve Purser's tools to a model, as a Model Context Protocol server on standard input and output.")
    .option("--read-only", "Offer only tools that change nothing.")
    .option("--allow-live", "With a live key: also offer tools that pay and change things.")
    .action(
      run(async ({ client, output, projectId, agentId, folder }, { readOnly, allowLive }) => {
        // The protocol's package is large, so other commands do not load it.
        const { serveMcp } = await import("../mcp/serve-mcp.ts");
        output.refuseFile();
        const purser = await client();
        await serveMcp({
          purser,
          mode: purser.mode ?? "test",
          agentId,
          projectId,
          folder,
          isReadOnly: readOnly === true,
          allowsLive: allowLive === true,
          writeEnvFile: async ({ path, bundle }) => {
            const file = await readEnvFile(path);
            const { next, isCurrent } = planEnvFile(file.bytes, bundle, "dotenv");
            if (!isCurrent) await writeFileAtomically(file, next);
            return { path, names: Object.keys(bundle.env).sort() };
          },
        });
      }),
    );
}
