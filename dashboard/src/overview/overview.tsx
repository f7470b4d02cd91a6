import { Page } from "../ui/page.tsx";

export function Overview() {
  return <Page title="Overview">{null}</Page>;
}
