import type { Program } from "../command-groups.ts";
import { modeOf } from "../context.ts";
import { runDoctor } from "./doctor.ts";
import { logIn, logOut, switchProfile } from "./login.ts";

export function accountCommands({ program, run }: Program): void {
  program
    .command("login")
    .description("Log in with a browser, on this machine or another. The key pair is saved as a profile.")
    .option("--with-key <source>", "Log in with a key pair instead: - reads standard input, @FILE a file.")
    .option(
      "--scope <scopes>",
      "Scopes of the key, separated by spaces. Default: all but approvals:write and, in test mode, audit:read.",
    )
    .option("--name <text>", "The name of the key.")
    .option("--no-browser", "Do not open a browser.")
    .action(run((context, options) => logIn(context, options)));
  program
    .command("logout")
    .description("Revoke the key of a login, and delete it here.")
    .option("--keep-key", "Do not revoke the key.")
    .action(run((context, options) => logOut(context, options)));
  program
    .command("whoami")
    .description("Print who is logged in, and where.")
    .action(
      run(async (context) => {
        const login = await context.login();
        const client = await context.client();
        const { developer_id, email, email_verified } = await client.developers.me({ signal: context.signal });
        const { source, profile = null, baseUrl, credentials } = login;
        const { projectId = null, agentId = null, output } = context;
        const mode = modeOf(credentials);
        output.result({
          data: {
            email,
            developer_id,
            email_verified,
            mode,
            base_url: baseUrl,
            source,
            profile,
            project_id: projectId,
            agent_id: agentId,
          },
        });
      }),
    );
  program
    .command("switch")
    .description("Use another saved login from now on. Without a name, choose it or, without a terminal, print them.")
    .argument("[profile]")
    .action(run((context, _options, [name]) => switchProfile(context, name)));
  program
    .command("doctor")
    .description("Find out why calls fail: network, clock, key, scopes, and the last refused requests.")
    .action(run((context) => runDoctor(context)));
}
