/** Returns the anchor of a heading, as code hosts make it: `13.5 Approvals` becomes `135-approvals`. */
export function slugOf(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
