import { Alert, Button, Group, Select, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { Service, ServiceRotation } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { Time } from "../ui/values.tsx";
import { type ServiceActionProps, SMALL, SMALL_RED } from "./parts.tsx";
import { ChangePlan } from "./plans.tsx";

/** The buttons of a service. Those of what it cannot do now are disabled, not absent: a dialog in which a call runs stays open. */
export function ServiceActions({ service, started }: ServiceActionProps) {
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

/** Opens the provider's own dashboard in another tab. The link is made when it is asked for, because it can sign the visitor in. */
function OpenVendor({ service: { project_id, service_id, provider } }: { readonly service: Service }) {
  const [isLoading, setLoading] = useState(false);
  const open = async () => {
    // Browsers block a tab that is opened after a wait, so it is opened first.
    const tab = window.open("about:blank", "_blank");
    setLoading(true);
    try {
      const params = { path: { project_id, service_id } };
      const { data } = await api.POST("/projects/{project_id}/services/{service_id}/deep-link", { params });
      if (tab === null || data === undefined) return;
      tab.opener = null;
      tab.location.replace(data.url);
    } catch (thrown) {
      tab?.close();
      const message = thrown instanceof Error ? thrown.message : String(thrown);
      notifications.show({ color: "red", title: `${provider} cannot be opened`, message });
    } finally {
      setLoading(false);
    }
  };
  return (
    <Button {...SMALL} loading={isLoading} onClick={open}>
      Open {provider}
    </Button>
  );
}

const REASONS = [
  { value: "scheduled", label: "Scheduled" },
  { value: "personnel", label: "Someone left" },
  { value: "compromised", label: "Someone else may know it" },
] as const;

const GRACE_PERIODS = [
  { value: "0", label: "No longer" },
  { value: "3600", label: "One more hour" },
  { value: "86400", label: "24 more hours" },
];

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
  const [reason, setReason] = useState<(typeof REASONS)[number]["value"]>("scheduled");
  const [graceSeconds, setGraceSeconds] = useState("3600");
  const hasChoice = credential.type === "multiple" && reason !== "compromised";
  const rotate = async () => {
    const { data } = await api.POST("/projects/{project_id}/services/{service_id}/rotate", {
      params: { path: { project_id, service_id } },
      body: {
        reason,
        confirm_downtime: true,
        ...(hasChoice && { grace_period_seconds: Number(graceSeconds) }),
        ...(credential.previous_valid_until !== null && { retire_previous: true }),
      },
    });
    for (const warning of data?.warnings ?? []) {
      notifications.show({ color: "orange", autoClose: 15_000, title: name, message: WARNINGS[warning] });
    }
    started(data?.operation_id);
  };
  return (
    <ActionDialog
      title={`Rotate ${name}`}
      button="Rotate"
      buttonProps={{ ...SMALL, disabled: service.status !== "active" }}
      action="Rotate the credentials"
      run={rotate}
    >
      <Stack>
        <Text size="sm">
          The provider issues new credentials, and the next pull of the environment has them.
          {credential.type === "single" && " It keeps one at a time: programs with the former one may fail at once."}
        </Text>
        <Select
          label="Reason"
          data={REASONS}
          allowDeselect={false}
          value={reason}
          onChange={(value) => setReason(REASONS.find((one) => one.value === value)?.value ?? "scheduled")}
        />
        {hasChoice && (
          <Select
            label="The former credential works for"
            data={GRACE_PERIODS}
            allowDeselect={false}
            value={graceSeconds}
            onChange={(value) => setGraceSeconds(value ?? "3600")}
          />
        )}
        {credential.previous_valid_until !== null && (
          <Alert color="orange">
            The credential before this one works until <Time at={credential.previous_valid_until} />. This ends it now.
          </Alert>
        )}
      </Stack>
    </ActionDialog>
  );
}

function RemoveService({ service, started }: ServiceActionProps) {
  const { project_id, service_id, name, status, deprovision_effect } = service;
  const remove = async () => {
    const params = { path: { project_id, service_id } };
    const { data } = await api.DELETE("/projects/{project_id}/services/{service_id}", { params });
    started(data?.operation.operation_id);
  };
  return (
    <ActionDialog
      title={`Remove ${name}`}
      button="Remove"
      buttonProps={{ ...SMALL_RED, disabled: status === "removing" }}
      action="Remove the service"
      isDangerous
      typeToConfirm={name}
      run={remove}
    >
      <Text size="sm">
        {deprovision_effect === "destroy"
          ? "The resource at the provider is destroyed with its data. This cannot be undone."
          : "The resource stays at the provider with its data, and the provider may go on billing you for it."}{" "}
        Its variables leave the environment.
      </Text>
    </ActionDialog>
  );
}
