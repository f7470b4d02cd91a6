import { QueryClientProvider } from "@tanstack/react-query";
import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { useState } from "react";
import { createQueryClient, hooks } from "../api/client.ts";
import { RequestError } from "../api/problem.ts";
import { AppLink, BasePath, SEARCH_AS_TEXT } from "../ui/navigation.tsx";
import { Loaded, Page } from "../ui/page.tsx";
import { routesOf } from "../ui/screens.tsx";
import { AdminShell, SignInPage } from "./shell.tsx";

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
  const query = hooks.useQuery("get", "/admin/me");
  const isSignedOut = query.error instanceof RequestError && query.error.status === 401;
  if (query.data === undefined && isSignedOut) return <SignInPage done={() => void query.refetch()} />;
  return (
    <Loaded query={query} lines={8}>
      {(identity) => <AdminShell admin={identity} />}
    </Loaded>
  );
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
