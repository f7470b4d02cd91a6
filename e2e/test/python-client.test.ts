import { expect, it } from "vitest";
import { runPythonClient } from "../src/campaigns/python-client.ts";

it("a client that openapi-python-client generates creates and lists a project, with typed answers", async ({
  skip,
}) => {
  const run = await runPythonClient("From Python");

  if ("skipped" in run) return skip(run.skipped);
  expect(run.output).toBe("['From Python']\n");
}, 300_000);
