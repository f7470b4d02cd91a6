import { Type } from "typebox";
import { pathOf, type VendorApi } from "../../http-client/vendor-client.ts";

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
  supabase: VendorApi,
  { ref, plan, from }: { readonly ref: string; readonly plan: string; readonly from: string | undefined },
): Promise<void> {
  const variant = variantOf(supabase, plan);
  const path = pathOf`/v1/projects/${ref}/billing/addons`;
  const { selected_addons: selected } = await supabase.get("v1-list-project-addons", path, Addons);
  const current = selected.find(({ type }) => type === COMPUTE)?.variant.id;
  if (current === variant || (from !== undefined && current !== variantOf(supabase, from))) return;
  const body = { addon_variant: variant, addon_type: COMPUTE };
  await supabase.patch(APPLY, path, Type.Unknown(), { body });
}

function variantOf(supabase: VendorApi, plan: string): string {
  const variant = COMPUTE_OF_PLAN[plan];
  if (variant !== undefined) return variant;
  throw supabase.error("refused", APPLY, `The plan ${plan} belongs to the organization.`);
}
