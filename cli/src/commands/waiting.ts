import { EXIT_CODES } from "../cli-error.ts";
import type { Program } from "../command-groups.ts";
import { groupOf } from "../command-groups.ts";
import { waitForOperation } from "../operation/wait.ts";

export function waitingCommands({ program, run }: Program): void {
  groupOf(program, ["approvals"])
    .command("wait")
    .description("Wait until a person has decided. Exit code 0 if the approval was given, 1 if not.")
    .argument("<approval_id>")
    .action(
      run(async ({ client, output, signal }, _options, [id = ""]) => {
        const approval = await (await client()).approvals.waitFor(id, { signal });
        output.result({ data: approval });
        return approval.status === "approved" ? EXIT_CODES.ok : EXIT_CODES.error;
      }),
    );
  groupOf(program, ["operations"])
    .command("wait")
    .description("Wait until a long operation has ended, and print its steps.")
    .argument("<operation_id>")
    .action(
      run(async ({ client, output, signal }, _options, [id = ""]) => {
        const data = await waitForOperation({ operation_id: id }, { client: await client(), output, signal });
        output.result({ data });
      }),
    );
}
