import { RouterProvider } from "@tanstack/react-router";
import { router } from "./router.tsx";
import { renderApp } from "./ui/providers.tsx";

renderApp(<RouterProvider router={router} />);
