import path from "node:path";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The server replaces this with the nonce of each response (`service/src/http/routes/pages/dashboard.ts`). */
const NONCE = "__CSP_NONCE__";

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: NONCE },
  build: {
    // The policy of the pages allows no `data:` URLs for fonts and scripts.
    assetsInlineLimit: 0,
    emptyOutDir: true,
    chunkSizeWarningLimit: 1_000,
    rollupOptions: {
      input: {
        developers: path.join(import.meta.dirname, "index.html"),
        admins: path.join(import.meta.dirname, "admin.html"),
      },
    },
  },
});
