import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { AppLink, BasePath, SEARCH_AS_TEXT } from "../ui/navigation.tsx";
import { Bars, Page } from "../ui/page.tsx";
import { ProblemAlert } from "../ui/problem-alert.tsx";
import { routesOf } from "../ui/screens.tsx";
import { AdminShell } from "./shell.tsx";
import { SignInPage } from "./sign-in.tsx";

const root = createRootRoute({ component: Admin, notFoundComponent: MissingScreen });

const admin = createRoute({ getParentRoute: () => root, path: "/admin", notFoundComponent: MissingScreen });

const screens = routesOf(admin, [
  ["/", lazyRouteComponent(() => import("./health.tsx"), "Health")],
  ["/developers", lazyRouteComponent(() => import("./developers.tsx"), "Developers")],
  ["/developers/$developerId", lazyRouteComponent(() => import("./developer.tsx"), "DeveloperPage")],
  ["/kyb", lazyRouteComponent(() => import("./developers.tsx"), "KybQueue")],
  ["/wallets", lazyRouteComponent(() => import("./wallets.tsx"), "Wallets")],
  ["/operations", lazyRouteComponent(() => import("./operations.tsx"), "Operations")],
  ["/audit", lazyRouteComponent(() => import("./audit.tsx"), "Audit")],
]);

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
