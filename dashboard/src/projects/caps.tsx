import type { Project } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import type { Field } from "../ui/forms/fields.tsx";

export const AT_CAP = { block: "Refuse what costs more", require_approval: "Ask me to approve it" } as const;

/** The inputs for a project's monthly cap, and for what happens at the cap. */
export function capFields({ monthly_cap, cap_behavior }: Pick<Project, "monthly_cap" | "cap_behavior">) {
  const description = "What its services and payments can cost in a calendar month (UTC).";
  const amount = { label: "Monthly cap in US dollars", description, inputMode: "decimal", required: true } as const;
  return [
    { name: "monthly_cap", ...amount, defaultValue: monthly_cap },
    { name: "cap_behavior", label: "At the cap", input: "one", data: AT_CAP, defaultValue: cap_behavior },
  ] as const;
}

/** Changes the project's cap, and the caps of single providers. An empty cap of a provider removes it. */
export function EditCaps({ project }: { readonly project: Project }) {
  const { provider_caps: caps, links, project_id } = project;
  const providers = [...new Set([...links.map(({ provider }) => provider), ...Object.keys(caps)])].sort();
  const fields: readonly Field[] = [
    ...capFields(project),
    ...providers.map((name) => {
      return { name, label: `Cap of ${name}`, placeholder: "No cap of its own", defaultValue: caps[name] ?? "" };
    }),
  ];
  return (
    <ActionDialog
      {...{ title: "Change the caps", buttonProps: { variant: "default" }, action: "Save the caps", fields }}
      run={({ monthly_cap, cap_behavior, ...ofProviders }: Readonly<Record<string, string>>) => {
        const provider_caps = Object.entries(ofProviders).map(([provider, cap]) => [provider, cap.trim() || null]);
        const body = { monthly_cap, cap_behavior: cap_behavior as "block" };
        return api.PATCH("/projects/{project_id}", {
          params: { path: { project_id } },
          body: { ...body, provider_caps: provider_caps.length > 0 ? Object.fromEntries(provider_caps) : undefined },
        });
      }}
    />
  );
}
