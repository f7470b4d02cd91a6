import { Type } from "typebox";
import { VendorError } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorClient } from "../../http-client/vendor-client.ts";

const APPLY = "v1-apply-project-addon";
const COMPUTE = "compute_instance";

/** The compute add-on of each plan. The plan of an organization can only be changed in Supabase's dashboard. */
const COMPUTE_OF_PLAN: Readonly<Record<string, string>> = {
  pro: "ci_micro",
  "pro-small": "ci_small",
  "pro-medium": "ci_medium",
  "pro-large": "ci_large",
};

const Addons = Type.Object({
  selected_addons: Type.Array(Type.Object({ type: Type.String(), variant: Type.Object({ id: Type.String() }) })),
});

/** Changes the size of the project's compute instance to that of the plan. Does nothing if it already has this size. */
export async function changeSupabasePlan(
  client: VendorClient,
  {
    headers,
    ref,
    plan,
    from,
  }: {
    readonly headers: Readonly<Record<string, string>>;
    readonly ref: string;
    readonly plan: string;
    readonly from: string | undefined;
  },
): Promise<void> {
  const variant = variantOf(plan);
  const path = pathOf`/v1/projects/${ref}/billing/addons`;
  const { selected_addons: selected } = await client.call({
    ...{ operation: "v1-list-project-addons", method: "GET", path, headers },
    schema: Addons,
  });
  const current = selected.find(({ type }) => type === COMPUTE)?.variant.id;
  if (current === variant || (from !== undefined && current !== variantOf(from))) return;
  await client.call({
    ...{ operation: APPLY, method: "PATCH", path, headers },
    body: { addon_variant: variant, addon_type: COMPUTE },
    schema: Type.Unknown(),
  });
}

function variantOf(plan: string): string {
  const variant = COMPUTE_OF_PLAN[plan];
  if (variant !== undefined) return variant;
  const vendorMessage = `The plan ${plan} belongs to the organization.`;
  throw new VendorError("refused", { vendor: "supabase", operation: APPLY, vendorMessage });
}
