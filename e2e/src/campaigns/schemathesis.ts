import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { type Mode, SCOPES } from "@purser/service/foundation/vocabulary.ts";
import { preparePython } from "../../../service/test/python/python-packages.ts";
import type { Call } from "../conformance/callers.ts";
import { type ConformanceContext, startConformanceContext, text } from "../conformance/context.ts";

const FOLDER = new URL("./schemathesis/", import.meta.url);
const CHECKS = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "declared_headers",
];

export interface SchemathesisFigures {
  readonly exitCode: number;
  /** The findings that schemathesis prints, and the requests that reproduce them. */
  readonly output: string;
}

/**
 * Starts Purser and runs schemathesis, which generates calls from the OpenAPI document and compares the responses with
 * it. The seed is fixed, so the same document produces the same calls.
 */
export async function runSchemathesis({
  examples,
  phases,
  onOutput = () => {},
}: {
  /** Maximum number of calls per operation and phase. */
  readonly examples: number;
  readonly phases: "fuzzing" | "coverage,fuzzing";
  readonly onOutput?: (text: string) => void;
}): Promise<SchemathesisFigures | { readonly skipped: string }> {
  const prepared = await preparePython({
    name: "schemathesis-4.32.5",
    requirements: new URL("requirements.txt", FOLDER),
  });
  if ("skipped" in prepared) return prepared;
  const context = await startConformanceContext();
  // Schemathesis stores its findings in its working directory and repeats them in the next run. Each run therefore uses
  // a new directory.
  const cwd = await mkdtemp(join(tmpdir(), "purser-schemathesis-"));
  try {
    const child = spawn(
      prepared.python,
      [
        ...["-m", "schemathesis.cli", "--config-file", pathOf("schemathesis.toml")],
        ...["run", `${context.baseUrl}/openapi.json`, "--phases", phases],
        ...["--max-examples", String(examples), "--seed", "1", "--checks", CHECKS.join()],
        ...["--no-shrink", "--continue-on-failure", "--generation-database", "none"],
        // Few random strings are valid email addresses. Without this option, schemathesis would report that it discards
        // too many strings.
        ...["--suppress-health-check", "filter_too_much"],
      ],
      {
        cwd,
        env: {
          ...process.env,
          PYTHONPATH: fileURLToPath(FOLDER),
          PYTHONDONTWRITEBYTECODE: "1",
          SCHEMATHESIS_HOOKS: "hooks",
          SCHEMATHESIS_CONTEXT: JSON.stringify(await createCredentials(context)),
        },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let output = "";
    const onData = (chunk: Buffer) => {
      output += chunk;
      onOutput(String(chunk));
    };
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    const [exitCode] = await once(child, "close");
    return { exitCode, output };
  } finally {
    await context.close();
    await rm(cwd, { recursive: true, force: true });
  }
}

function pathOf(file: string): string {
  return fileURLToPath(new URL(file, FOLDER));
}

/**
 * Creates API keys, tokens and a project for the generated calls. `hooks.py` prevents calls that delete the project or
 * an API key.
 */
async function createCredentials(context: ConformanceContext) {
  const post = (path: string, body: object): Call => ({ method: "POST", path, body });
  const newKey = async (mode: Mode) => {
    const body = { name: "schemathesis", mode, rate_limit_per_minute: 60_000, scopes: [...SCOPES] };
    const key = await context.session({ ...post("/developers/me/keys", body), headers: { "x-svc-mode": mode } });
    return { apiKey: text(key, "api_key"), apiSecret: text(key, "api_secret") };
  };
  const spareKey = await context.live(post("/developers/me/keys", { name: "spare" }));
  const project = await context.live(post("/projects", { name: "Schemathesis" }));
  const { email, password } = context.demo;
  const session = await context.anonymous(post("/developers/login", { email, password }));
  const { admin } = context;
  const first = await context.anonymous(post("/admin/login", { email: admin.email, password: admin.password }));
  const second = await context.anonymous(
    post("/admin/login/totp", {
      mfa_token: text(first, "mfa_token"),
      code: totpCode(admin.totpSecret, new Date()),
    }),
  );
  return {
    liveKey: await newKey("live"),
    testKey: await newKey("test"),
    dashboardToken: text(session, "access_token"),
    adminToken: text(second, "access_token"),
    ids: {
      project_id: text(project, "project_id"),
      key_id: text(spareKey, "key_id"),
      session_id: "absent",
    },
  };
}
