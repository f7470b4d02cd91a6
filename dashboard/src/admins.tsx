import { RouterProvider } from "@tanstack/react-router";
import { adminRouter } from "./admin/router.tsx";
import { renderApp } from "./ui/providers.tsx";

renderApp(<RouterProvider router={adminRouter} />);
