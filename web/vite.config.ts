import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

// Calls, but not the modules of web/api, which the development server serves under the same prefix.
const calls = "^/api/(?!.*\\.tsx?($|\\?))";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss()],
  server: { port: 5173, strictPort: true, proxy: { [calls]: server } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    target: "es2023",
    modulePreload: { polyfill: false },
    // The content security policy allows no data: scripts or fonts, so every asset is a file of its own.
    assetsInlineLimit: 0,
  },
});
