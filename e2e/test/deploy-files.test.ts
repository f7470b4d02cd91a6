import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { newSecrets } from "@purser/service/config/new-secrets.ts";
import { readConfig } from "@purser/service/config.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHECKOUT, deployPython, readCompose, runPython } from "../src/image/deploy-tools.ts";

const run = promisify(execFile);
/** The first installation of the tools downloads 100 MB. */
const INSTALL_MAX_MS = 300_000;

const VALUES = {
  image: { repository: "registry.example.com/purser" },
  existingSecret: "purser",
  migrations: { existingSecret: "purser-migrations" },
  env: { PURSER_PUBLIC_URL: "https://purser.example.com", PURSER_AUDIT_ANCHOR_S3: "s3://purser-anchor/production" },
};

/** Renders the chart as `helm template` does, checks each object against Kubernetes' schemas, and prints them all. */
const RENDER = `
import helm_python, json, kubernetes_validate, sys, yaml
values, version = json.loads(sys.argv[1]), sys.argv[2]
problems = [each["error"] for each in helm_python.lint("deploy/helm/purser", values, strict=True)["messages"] if each["severity"] > 1]
rendered = helm_python.Chart.load("deploy/helm/purser").render(values, name="purser", namespace="purser")
texts = [text for name, text in sorted(rendered.items()) if name.endswith(".yaml")]
objects = [each for text in texts for each in yaml.safe_load_all(text) if each is not None]
for each in objects:
    kubernetes_validate.validate(each, version, strict=True)
print(json.dumps({"problems": problems, "objects": objects}))
`;

// biome-ignore lint/suspicious/noExplicitAny: the schemas of Kubernetes have checked the shape.
type KubernetesObject = any;

describe("the files of a deployment", () => {
  let folder: string;
  let objects: readonly KubernetesObject[];
  let problems: unknown;

  async function render(values: object, version: string) {
    return JSON.parse(await runPython(RENDER, JSON.stringify(values), version));
  }
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "purser-deploy-"));
    ({ objects, problems } = await render(VALUES, "1.30"));
  }, INSTALL_MAX_MS);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const named = (kind: string, name: string) => {
    const found = objects.find((each) => each.kind === kind && each.metadata.name === name);
    if (found === undefined) throw new Error(`The chart has no ${kind} ${name}.`);
    return found;
  };
  const podOf = (kind: string, name: string) => named(kind, name).spec.template.spec;
  const containerOf = (kind: string, name: string) => podOf(kind, name).containers[0];

  it("hadolint finds nothing in the Dockerfile", async () => {
    const hadolint = path.join(path.dirname(await deployPython()), "hadolint");
    const { stdout } = await run(hadolint, ["Dockerfile"], { cwd: CHECKOUT });
    expect(stdout).toBe("");
  });

  it("helm renders the chart, and its objects match the schemas of the oldest and the newest Kubernetes", async () => {
    expect(problems).toEqual([]);
    const newest = await render(VALUES, "1.34");
    expect(newest.objects).toEqual(objects);
    expect(objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual([
      "Deployment purser-api",
      "Deployment purser-worker",
      "HorizontalPodAutoscaler purser-api",
      "HorizontalPodAutoscaler purser-worker",
      "Job purser-migrations",
      "NetworkPolicy purser",
      "PodDisruptionBudget purser-api",
      "PodDisruptionBudget purser-worker",
      "Service purser",
    ]);
  });

  it.each([
    [{ ...VALUES, image: {} }, "image.repository is missing"],
    [{ ...VALUES, existingSecret: "" }, "existingSecret is missing"],
    [{ ...VALUES, migrations: {} }, "migrations.existingSecret is missing"],
  ])("helm says what is missing: case %#", async (values, message) => {
    await expect(render(values, "1.30")).rejects.toThrow(message);
  });

  it("every pod is without root, token and writable files", () => {
    for (const [kind, name] of [
      ["Deployment", "purser-api"],
      ["Deployment", "purser-worker"],
      ["Job", "purser-migrations"],
    ] as const) {
      const pod = podOf(kind, name);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(pod.volumes).toBeUndefined();
      expect(containerOf(kind, name).securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ["ALL"] },
      });
    }
  });

  it("only the migrations have the owner's login, and they run before a version starts", () => {
    const secrets = (kind: string, name: string) =>
      containerOf(kind, name).envFrom.map((from: KubernetesObject) => from.secretRef.name);

    expect(secrets("Job", "purser-migrations")).toEqual(["purser-migrations"]);
    expect(secrets("Deployment", "purser-api")).toEqual(["purser"]);
    expect(secrets("Deployment", "purser-worker")).toEqual(["purser"]);
    expect(named("Job", "purser-migrations").metadata.annotations).toMatchObject({
      "helm.sh/hook": "pre-install,pre-upgrade",
    });
  });

  it("workers scale on the oldest due work; both deployments keep a pod and their probes", () => {
    const metrics = (name: string) => named("HorizontalPodAutoscaler", name).spec.metrics;
    expect(metrics("purser-worker")[1]).toEqual({
      type: "External",
      external: { metric: { name: "purser_due_work_oldest_age_seconds" }, target: { type: "Value", value: "30" } },
    });
    expect(metrics("purser-api")).toHaveLength(1);
    for (const name of ["purser-api", "purser-worker"]) {
      expect(named("PodDisruptionBudget", name).spec.maxUnavailable).toBe(1);
      expect(named("HorizontalPodAutoscaler", name).spec.minReplicas).toBe(2);
    }
    expect(containerOf("Deployment", "purser-api")).toMatchObject({
      livenessProbe: { httpGet: { path: "/healthz", port: "http" } },
      readinessProbe: { httpGet: { path: "/readyz", port: "http" } },
    });
    // The grace period is longer than the wait before the stop, and the drain after it.
    const config = readConfig({ ...chartEnvironment("purser-api") });
    expect(podOf("Deployment", "purser-api").terminationGracePeriodSeconds * 1_000).toBeGreaterThan(
      5_000 + config.timeouts.drainMs,
    );
  });

  it("the network policy lets in only the API's callers and the metrics' readers", () => {
    const { ingress, policyTypes } = named("NetworkPolicy", "purser").spec;
    expect(policyTypes).toEqual(["Ingress", "Egress"]);
    expect(ingress.map(({ from, ports }: KubernetesObject) => [from.length, ports])).toEqual([
      [1, [{ port: 8080 }]],
      [1, [{ port: 9464 }]],
    ]);
  });

  /** The environment of a pod, with the secret that docs/operate/deploy.md makes. */
  function chartEnvironment(name: string) {
    const own = containerOf("Deployment", name).env.map((each: KubernetesObject) => [each.name, each.value]);
    return {
      ...newSecrets(),
      DATABASE_URL: "postgres://purser_app:a@db.example.com/purser",
      REDIS_URL: "rediss://redis.example.com:6379",
      SMTP_URL: "smtps://user:a@mail.example.com",
      ...Object.fromEntries(own),
    };
  }

  it("the chart's environment is a valid production configuration", () => {
    expect(readConfig(chartEnvironment("purser-api"))).toMatchObject({ profile: "production", roles: ["api"] });
    expect(readConfig(chartEnvironment("purser-worker"))).toMatchObject({ roles: ["worker"] });
  });

  it("the environment of compose.yaml is a valid production configuration, and needs each variable that it requires", async () => {
    const envFile = path.join(folder, ".env");
    const passwords = { POSTGRES_PASSWORD: "a", OWNER_PASSWORD: "b", APP_PASSWORD: "c", PII_PASSWORD: "d" };
    const variables = { ...newSecrets(), ...passwords, PURSER_PUBLIC_URL: "https://purser.example.com" };
    const write = (entries: object) =>
      writeFile(
        envFile,
        Object.entries(entries)
          .map(([name, value]) => `${name}=${JSON.stringify(value)}\n`)
          .join(""),
      );

    await write(variables);
    const { api, worker, migrate, postgres } = await readCompose(envFile);

    expect(readConfig(api?.environment ?? {})).toMatchObject({ profile: "production", roles: ["api"] });
    expect(readConfig(worker?.environment ?? {})).toMatchObject({ roles: ["worker"] });
    expect(Object.keys(migrate?.environment ?? {})).toEqual(["DATABASE_OWNER_URL"]);
    // The server knows neither the superuser's password nor the owner's.
    expect(JSON.stringify([api, worker])).not.toMatch(/OWNER_PASSWORD|POSTGRES_PASSWORD|purser_owner/);
    expect(Object.keys(postgres?.environment ?? {})).toEqual(Object.keys(passwords));
    await write({ ...variables, STRIPE_SECRET_KEY: "" });
    await expect(readCompose(envFile)).rejects.toThrow("compose.yaml needs STRIPE_SECRET_KEY.");
  });

  it("Git ignores every secret that Docker does", async () => {
    const { stdout } = await run("git", ["check-ignore", ".env", "deploy/settings/server/A", "node_modules/a"], {
      cwd: CHECKOUT,
    });
    expect(stdout.split("\n").filter(Boolean)).toHaveLength(3);
  });
});
