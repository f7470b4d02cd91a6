import { renderApp } from "./ui/providers.tsx";

renderApp(null);
