import { type AnyRoute, createRoute, type RouteComponent } from "@tanstack/react-router";
import { Bars } from "./page.tsx";
import { ProblemAlert } from "./problem-alert.tsx";

/** A screen: its path below its parent's, and its component, which is loaded when it is opened. */
export type Screen = readonly [path: string, component: RouteComponent];

export function routesOf<Parent extends AnyRoute>(parent: Parent, screens: readonly Screen[]) {
  return screens.map(([path, component]) =>
    createRoute({
      ...{ getParentRoute: () => parent, path, component },
      pendingComponent: () => <Bars lines={6} />,
      errorComponent: ({ error }) => <ProblemAlert error={error} />,
    }),
  );
}
