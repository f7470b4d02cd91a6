import type { RouteComponent } from "@tanstack/react-router";

/** One screen of the dashboard: its path below `/dashboard/MODE`, and its component, which is loaded when it is opened. */
export interface Screen {
  readonly path: string;
  readonly component: RouteComponent;
}
