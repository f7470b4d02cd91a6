import { Alert, Anchor, Button, Group, Select, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Service, ServiceRotation, ServiceUpgrade } from "../api/api-types.ts";
import { api, hooks } from "../api/client.ts";
import { formatTime } from "../ui/format.ts";
import { ActionDialog, SMALL } from "../ui/forms/action-dialog.tsx";
import { Id, optionsOf } from "../ui/names.tsx";
import { useFilters } from "../ui/navigation.tsx";
import { Empty, Facts, Loaded } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Status, Time } from "../ui/values.tsx";
import { AddService } from "./add-service.tsx";
import { OperationProgress, useOperationIds } from "./operation-progress.tsx";
import { PlanChoice, priceText, type ServiceActionProps, shownCost, type TabProps, useCatalog } from "./parts.tsx";

/** The statuses in which an operation changes the service. */
const CHANGING: ReadonlySet<Service["status"]> = new Set([
  ...(["pending", "requires_action", "provisioning", "updating", "rotating", "removing"] as const),
]);

export function Services({ project }: TabProps) {
  const { project_id } = project;
  const { values, set } = useFilters("tab", "operation");
  const params = { path: { project_id }, query: { limit: 100 } };
  const query = hooks.useQuery(...(["get", "/projects/{project_id}/services", { params }] as const), {
    refetchInterval: ({ state }) => state.data?.data.some(isChanging) === true && 2_000,
  });
  const services = query.data?.data ?? [];
  const operations = useOperationIds(project_id, services.some(isChanging));
  const started = (operationId: string | undefined) => set("operation", operationId ?? null);
  const shown = values.operation;
  const empty = {
    title: "No services yet",
    text: "Add one from the catalog, or let your code or an agent add it:",
    code: `const { operation } = await purser.projects.services.add("${project_id}", { service: "neon/postgres" });
await purser.operations.waitFor(operation);`,
  };
  return (
    <Section
      intro="Databases and other products that providers run for this project. Their credentials are in its environment."
      actions={<AddService project={project} started={started} />}
    >
      {shown !== undefined && <OperationProgress operationId={shown} dismiss={() => started(undefined)} />}
      <Loaded query={query}>{({ data }) => data.length === 0 && <Empty {...empty} />}</Loaded>
      {services.map((service) => {
        const running = isChanging(service) ? operations.get(service.service_id) : undefined;
        const operationId = running === shown ? undefined : running;
        return <ServiceCard key={service.service_id} {...{ service, operationId, started }} />;
      })}
    </Section>
  );
}

function isChanging({ status }: Service): boolean {
  return CHANGING.has(status);
}

function ServiceCard({ service, operationId, started }: ServiceActionProps & { readonly operationId?: string }) {
  const { status, plan, pricing, env_names, credential, notification, pending_plan, service_id } = service;
  const actions = (
    <>
      <Status status={status} />
      <ServiceActions service={service} started={started} />
    </>
  );
  return (
    <Section title={service.name} intro={service.service} actions={actions}>
      <Facts
        facts={[
          ["Plan", pricing.type === "free" ? plan : `${plan}, ${priceText(pricing)}`],
          ["Region", service.region],
          ["Environments", service.environments.join(", ")],
          ["Variables", env_names.length === 0 ? "None yet" : env_names.join(", ")],
          ["Credential", credentialText(credential)],
          ["Id", <Id key="id" text={service_id} what="service id" />],
        ]}
      />
      {pending_plan !== null && (
        <Text size="sm">
          Changes to the plan {pending_plan.plan} on <Time at={pending_plan.effective_at} />.
        </Text>
      )}
      {notification !== null && (
        <Alert color={notification.level === "error" ? "red" : "orange"} title={notification.title}>
          <Anchor href={notification.href} target="_blank" rel="noreferrer" size="sm">
            What to do
          </Anchor>
        </Alert>
      )}
      {operationId !== undefined && <OperationProgress operationId={operationId} />}
    </Section>
  );
}

function credentialText({ version, rotated_at, previous_valid_until: until }: Service["credential"]): string {
  const rotated = version > 1 && rotated_at !== null ? `, rotated ${formatTime(rotated_at)}` : "";
  return `Version ${version}${rotated}${until === null ? "" : `. The former one works until ${formatTime(until)}`}`;
}

/** The buttons of a service. Those of what it cannot do now are disabled, not absent: a dialog in which a call runs stays open. */
function ServiceActions({ service, started }: ServiceActionProps) {
  const { status, dashboard_url_available, allowed_updates } = service;
  return (
    <Group gap={6}>
      {dashboard_url_available && <OpenVendor service={service} />}
      {status !== "failed" && <RotateService service={service} started={started} />}
      {status !== "failed" && allowed_updates.length > 0 && <ChangePlan service={service} started={started} />}
      <RemoveService service={service} started={started} />
    </Group>
  );
}

function notify(title: string, message: string, color = "orange"): void {
  notifications.show({ color, autoClose: 15_000, title, message });
}

/** Opens the provider's own dashboard in another tab. The link is made when it is asked for, because it can sign the visitor in. */
function OpenVendor({ service: { project_id, service_id, provider } }: { readonly service: Service }) {
  const open = async () => {
    // Browsers block a tab that is opened after a wait, so it is opened first.
    const tab = window.open("about:blank", "_blank");
    const params = { path: { project_id, service_id } };
    try {
      const { data } = await api.POST("/projects/{project_id}/services/{service_id}/deep-link", { params });
      if (tab === null || data === undefined) return;
      tab.opener = null;
      tab.location.replace(data.url);
    } catch (thrown) {
      tab?.close();
      notify(`${provider} cannot be opened`, String(thrown), "red");
    }
  };
  return (
    <Button {...SMALL} onClick={open}>
      Open {provider}
    </Button>
  );
}

const REASONS = { scheduled: "Scheduled", personnel: "Someone left", compromised: "Someone else may know it" };

const GRACE_PERIODS = { 0: "No longer", 3600: "One more hour", 86400: "24 more hours" };

const WARNINGS: Readonly<Record<ServiceRotation["warnings"][number], string>> = {
  downtime: "The former credential ended at once. Pull the environment again and restart your programs.",
  unchanged: "The provider returned the same credential. Nothing changed.",
  not_verified: "The new credential was not tried out: this provider offers no way to do it.",
  former_version_in_use: "Some keys still have the former credential. Pull the environment again.",
  former_credential_not_retired: "The provider still accepts the former credential. Purser keeps trying to end it.",
};

/** Issues new credentials at the provider. */
function RotateService({ service, started }: ServiceActionProps) {
  const { project_id, service_id, name, credential } = service;
  const [reason, setReason] = useState<keyof typeof REASONS>("scheduled");
  const hasChoice = credential.type === "multiple" && reason !== "compromised";
  const grace = { label: "The former credential works for", data: GRACE_PERIODS, defaultValue: "3600" };
  const single = " It keeps one at a time: programs with the former one may fail at once.";
  return (
    <ActionDialog
      {...{ title: `Rotate ${name}`, button: "Rotate", isSmall: true, action: "Rotate the credentials" }}
      buttonProps={{ disabled: service.status !== "active" }}
      text={`The provider issues new credentials, and the next pull of the environment has them.${credential.type === "single" ? single : ""}`}
      fields={hasChoice ? [{ name: "grace", input: "one", ...grace }] : []}
      run={async ({ grace }) => {
        const { data } = await api.POST("/projects/{project_id}/services/{service_id}/rotate", {
          params: { path: { project_id, service_id } },
          body: {
            ...{ reason, confirm_downtime: true, grace_period_seconds: hasChoice ? Number(grace) : undefined },
            retire_previous: credential.previous_valid_until !== null || undefined,
          },
        });
        for (const warning of data?.warnings ?? []) notify(name, WARNINGS[warning]);
        started(data?.operation_id);
      }}
    >
      <Select
        {...{ label: "Reason", data: optionsOf(REASONS), allowDeselect: false, value: reason }}
        onChange={(value) => setReason((value ?? reason) as typeof reason)}
      />
      {credential.previous_valid_until !== null && (
        <Alert color="orange">
          The credential before this one works until <Time at={credential.previous_valid_until} />. This ends it now.
        </Alert>
      )}
    </ActionDialog>
  );
}

const TIMES = {
  "": "Now, or when the month ends if that costs the same",
  immediate: "Now",
  period_end: "When the month ends",
};

/** Moves a service to another plan of its provider, up or down. */
function ChangePlan({ service, started }: ServiceActionProps) {
  const { project_id, service_id, name } = service;
  const [plan, setPlan] = useState<string | null>(null);
  const catalog = useCatalog({ provider: service.provider });
  const entries = (catalog.data?.data ?? []).flatMap(({ services }) => services);
  const plans = entries.find((entry) => entry.service === service.service)?.plans ?? [];
  const offered = plans.filter((one) => service.allowed_updates.includes(one.plan));
  return (
    <ActionDialog
      {...{ title: `Change the plan of ${name}`, button: "Change plan", isSmall: true, action: "Change the plan" }}
      buttonProps={{ disabled: service.status !== "active" }}
      text={`Its plan is ${service.plan}.`}
      fields={[{ name: "time", label: "When", input: "one", data: TIMES, defaultValue: "" }]}
      run={async ({ time }) => {
        const chosen = offered.find((one) => one.plan === plan);
        if (chosen === undefined) throw new Error("Choose a plan first.");
        const { data } = await api.POST("/projects/{project_id}/services/{service_id}/upgrade", {
          params: { path: { project_id, service_id } },
          body: {
            ...{ plan: chosen.plan, expected_current_plan: service.plan, max_monthly_cost: shownCost(chosen) },
            effective: (time || undefined) as "immediate" | undefined,
          },
        });
        if (data === undefined) return;
        notify(name, outcomeText(data), "teal");
        started(data.operation?.operation_id);
      }}
    >
      <PlanChoice plans={offered} plan={plan} change={setPlan} />
    </ActionDialog>
  );
}

function outcomeText({ service, changed, status, approval, price_change: { proration } }: ServiceUpgrade): string {
  if (approval !== null) return "A person must approve the change first.";
  if (service.pending_plan !== null) return `The plan changes to ${service.pending_plan.plan} when the month ends.`;
  if (!changed) return "Nothing changed: the service has this plan already.";
  if (status === "pending") return "The provider is changing the plan.";
  const difference = proration.startsWith("-") ? `${proration.slice(1)} USD less` : `${proration} USD more`;
  return `The plan is ${service.plan}. This month costs ${difference}.`;
}

const REMOVAL_EFFECTS: Readonly<Record<Service["deprovision_effect"], string>> = {
  destroy: "The resource at the provider is destroyed with its data. This cannot be undone.",
  detach: "The resource stays at the provider with its data, and the provider may go on billing you for it.",
};

function RemoveService({ service, started }: ServiceActionProps) {
  const { project_id, service_id, name, status, deprovision_effect } = service;
  return (
    <ActionDialog
      {...{
        title: `Remove ${name}`,
        button: "Remove",
        isSmall: true,
        action: "Remove the service",
        typeToConfirm: name,
      }}
      buttonProps={{ disabled: status === "removing" }}
      run={async () => {
        const params = { path: { project_id, service_id } };
        const { data } = await api.DELETE("/projects/{project_id}/services/{service_id}", { params });
        started(data?.operation.operation_id);
      }}
      text={`${REMOVAL_EFFECTS[deprovision_effect]} Its variables leave the environment.`}
    />
  );
}
