import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import type { Plugin } from "vite";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

// Calls, but not the modules of web/api, which the development server serves under the same prefix.
const calls = "^/api/(?!.*\\.tsx?($|\\?))";

/**
 * Every zod schema carries the writer of its JSON Schema, which only the server's OpenAPI page calls: 5 KB of
 * each screen's 250. A build in which zod has moved it fails by name instead of quietly growing.
 */
function withoutJsonSchema(): Plugin {
  const writers = ["to-json-schema.js", "json-schema-processors.js"];
  const left = new Set<string>();
  return {
    name: "porchlight:without-json-schema",
    apply: "build",
    transform(code, id) {
      const writer = writers.find((name) => id.endsWith(`/zod/v4/core/${name}`));
      if (!writer) return undefined;
      left.add(writer);
      const names = [...code.matchAll(/^export (?:function|const) (\w+)/gm)].map((match) => match[1]);
      return { code: names.map((name) => `export const ${name} = () => undefined;`).join("\n"), map: null };
    },
    buildEnd(error) {
      if (!error && left.size < writers.length)
        this.error("zod's JSON Schema writer was not found where it was");
    },
  };
}

/**
 * Lets `load-chunk.ts` load what is imported on demand. The bundler hands it every file that the import needs. A build in
 * which Vite's own loader has moved, or that leaves out a chunk's files, fails instead of quietly losing the retry.
 */
function withOwnChunkLoader(): Plugin {
  const loader = fileURLToPath(new URL("load-chunk.ts", import.meta.url));
  let replaced = false;
  return {
    name: "porchlight:own-chunk-loader",
    apply: "build",
    transform: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler() {
        replaced = true;
        return { code: `export { loadChunk as __vitePreload } from ${JSON.stringify(loader)};`, map: null };
      },
    },
    generateBundle(_, bundle) {
      if (!replaced) this.error("Vite's preload helper was not found where it was");
      // Vite lists no files for a chunk that imports nothing.
      for (const chunk of Object.values(bundle)) {
        if (chunk.type === "chunk" && chunk.isDynamicEntry && chunk.imports.length === 0)
          this.error(`${chunk.fileName} imports nothing, so its import could not be retried`);
      }
    },
  };
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss(), withoutJsonSchema(), withOwnChunkLoader()],
  server: { port: 5173, strictPort: true, proxy: { [calls]: server } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // The oldest of docs/browsers.md.
    target: ["chrome126", "edge126", "firefox128", "safari18"],
    modulePreload: { polyfill: false },
    // load-chunk.ts knows scripts only.
    cssCodeSplit: false,
    // What each page fetches, for the test of their weight.
    manifest: true,
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          // A screen needs a dozen files instead of fifty, and shows in half the time. What several screens share stays
          // one module at run time; all scripts together grow by a fifth. Sizes are those of the sources, in bytes.
          experimentalInlineCommonChunks: { maxSize: 30_000, exclude: /\.css$/ },
        },
      },
    },
    // The content security policy allows no data: scripts or fonts, so every asset is a file of its own.
    assetsInlineLimit: 0,
  },
});
