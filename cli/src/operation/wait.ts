import type { Link, Operation, Purser } from "@purser/sdk";
import { CliError } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { openBrowser } from "../open-browser.ts";
import { sleep } from "../sleep.ts";

const LINK_POLL_MS = 2_000;

/**
 * Waits until what a response has started has ended, unless `--no-wait` was given: an operation, whose steps are shown,
 * or a link that the person at the terminal completes in the browser.
 */
export async function waitForResult(data: unknown, client: Purser, context: Context): Promise<unknown> {
  const { options, output, signal, terminal } = context;
  if (options.wait === false || typeof data !== "object" || data === null) return data;
  const operation = operationOf(data);
  if (operation?.status === "running") {
    const ended = await waitForOperation(operation, { client, output, signal });
    return operation === data ? ended : { ...data, operation: ended };
  }
  const isOpenLink = "object" in data && data.object === "link" && (data as Link).status === "pending_auth";
  return isOpenLink && terminal.canAsk ? await waitForLink(data as Link, client, context) : data;
}

export async function waitForOperation(
  operation: Pick<Operation, "operation_id">,
  { client, output, signal }: Pick<Context, "output" | "signal"> & { client: Purser },
): Promise<Operation> {
  const shown = new Set<string>();
  return client.operations.waitFor(operation, {
    signal,
    onProgress: ({ steps }) => {
      for (const { name, status } of steps) {
        const line = `${name.replaceAll("_", " ")}: ${status.replaceAll("_", " ")}`;
        if (status === "pending" || shown.has(line)) continue;
        shown.add(line);
        output.note(line);
      }
    },
  });
}

async function waitForLink(link: Link, client: Purser, { output, signal, terminal }: Context): Promise<Link> {
  if (link.url !== null) {
    output.note(`Open ${link.url}`);
    openBrowser(link.url, terminal.environment);
  }
  output.note("Waiting until the link is complete…");
  for (let current = link; ; ) {
    if (current.status === "linked") return current;
    if (current.status !== "pending_auth") throw notLinked(current);
    await sleep(LINK_POLL_MS, signal);
    current = await client.projects.links.get(link.project_id, link.link_id, { signal });
  }
}

function notLinked({ provider, status, error }: Link): CliError {
  return new CliError({
    message: `${provider} was not linked: the link is ${status}${error ? ` (${error})` : ""}.`,
    code: `link_${status}`,
    nextSteps: [`purser link ${provider}`],
  });
}

function operationOf(data: object): Operation | undefined {
  if ("object" in data && data.object === "operation") return data as Operation;
  return "operation" in data ? ((data.operation as Operation | null) ?? undefined) : undefined;
}
