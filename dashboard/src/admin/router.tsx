import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { AppLink, BasePath, SEARCH_AS_TEXT } from "../ui/navigation.tsx";
import { Bars, Page } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { AdminShell } from "./shell.tsx";
import { SignInPage } from "./sign-in.tsx";

const root = createRootRoute({ component: Admin, notFoundComponent: MissingScreen });

const admin = createRoute({ getParentRoute: () => root, path: "/admin", notFoundComponent: MissingScreen });

const SCREENS = [
  { path: "/", component: lazyRouteComponent(() => import("./health.tsx"), "Health") },
  { path: "/developers", component: lazyRouteComponent(() => import("./developers.tsx"), "Developers") },
  { path: "/developers/$developerId", component: lazyRouteComponent(() => import("./developer.tsx"), "DeveloperPage") },
  { path: "/kyb", component: lazyRouteComponent(() => import("./developers.tsx"), "KybQueue") },
  { path: "/wallets", component: lazyRouteComponent(() => import("./wallets.tsx"), "Wallets") },
  { path: "/operations", component: lazyRouteComponent(() => import("./operations.tsx"), "Operations") },
  { path: "/audit", component: lazyRouteComponent(() => import("./audit.tsx"), "Audit") },
];

const screens = SCREENS.map(({ path, component }) =>
  createRoute({
    getParentRoute: () => admin,
    path,
    component,
    pendingComponent: () => <Bars lines={6} />,
    errorComponent: ({ error }) => <ProblemAlert error={error} />,
  }),
);

function Admin() {
  const [client] = useState(createQueryClient);
  return (
    <QueryClientProvider client={client}>
      <BasePath value="/admin">
        <SignedIn />
      </BasePath>
    </QueryClientProvider>
  );
}

/** Shows the page to an admin with a session, and the sign-in at the same address to others. */
function SignedIn() {
  const { data, error, refetch } = hooks.useQuery("get", "/admin/me");
  if (data !== undefined) return <AdminShell admin={data} />;
  if (error instanceof RequestError && error.status === 401) return <SignInPage done={() => void refetch()} />;
  return error === null ? <Bars lines={8} /> : <ProblemAlert error={error} />;
}

function MissingScreen() {
  return (
    <Page title="This page does not exist">
      <AppLink to="/">Go to the health of the server</AppLink>
    </Page>
  );
}

export const adminRouter = createRouter({
  routeTree: root.addChildren([admin.addChildren(screens)]),
  ...SEARCH_AS_TEXT,
  // As in the developers' app.
  defaultRemountDeps: ({ params }) => params,
  defaultPreload: "intent",
  scrollRestoration: true,
});
