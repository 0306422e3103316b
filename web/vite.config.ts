import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin, type Rolldown } from "vite";
import { schemasApart } from "./schemas-apart.ts";

const server = `http://127.0.0.1:${process.env["PORT"] ?? "3000"}`;

// Calls, but not the modules of web/api, which the development server serves under the same prefix.
const calls = "^/api/(?!.*\\.tsx?($|\\?))";

/**
 * Uses `load-chunk.ts` for dynamic imports. The bundler passes it every file that the import needs. If Vite's own loader
 * moves, or the list of files is missing, the build fails instead of silently losing the retry.
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

/**
 * Leaves zod's conversion to JSON Schema out of the scripts: every form would load its 34 KB, and only the server converts.
 * If zod moves it, the build fails instead of silently growing.
 */
function withoutJsonSchema(): Plugin {
  const found = new Set<string>();
  return {
    name: "porchlight:without-json-schema",
    apply: "build",
    transform: {
      filter: { id: /\/zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/ },
      handler(code, id) {
        found.add(id);
        const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
        // Each schema has methods made by these.
        return {
          code: `const none = () => none; export { ${names.map((name) => `none as ${name}`).join()} };`,
          map: null,
        };
      },
    },
    generateBundle() {
      if (found.size !== 2) this.error("zod's conversion to JSON Schema was not found where it was");
    },
  };
}

const idOf = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** These modules and everything they import statically. */
function withImports(paths: readonly string[], context: Rolldown.ChunkingContext): Set<string> {
  const found = new Set(paths.map((path) => idOf(path)));
  for (const id of found)
    for (const imported of context.getModuleInfo(id)?.importedIds ?? []) found.add(imported);
  return found;
}

let ofConsole: Set<string> | undefined;
let beforeSignIn: Set<string> | undefined;
/**
 * One file of what every screen behind the sign-in needs. Each common chunk would be another file to ask for, and a phone
 * waits longer for a file's turn than for its bytes.
 */
function consoleGroup(id: string, context: Rolldown.ChunkingContext): string | null {
  ofConsole ??= withImports(["app.tsx"], context);
  beforeSignIn ??= withImports(
    ["main.tsx", ...["auth", "set-password", "confirm-email"].map((name) => `pages/${name}.tsx`)],
    context,
  );
  return ofConsole.has(id) && !beforeSignIn.has(id) ? "app" : null;
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [react(), tailwindcss(), schemasApart(), withoutJsonSchema(), withOwnChunkLoader()],
  server: { port: 5173, strictPort: true, proxy: { [calls]: server, "/manifest.webmanifest": server } },
  build: {
    outDir: "../dist/web",
    emptyOutDir: true,
    // The oldest versions in docs/browsers.md.
    target: ["chrome126", "edge126", "firefox128", "safari18"],
    modulePreload: { polyfill: false },
    // load-chunk.ts only loads scripts.
    cssCodeSplit: false,
    // Lists what each page loads, for the test of page weight.
    manifest: true,
    rolldownOptions: {
      preserveEntrySignatures: false,
      output: {
        codeSplitting: {
          groups: [{ name: consoleGroup, debugName: "console", includeDependenciesRecursively: false }],
          // A screen needs a few files instead of fifty, and appears in half the time. Code shared by several screens stays
          // one module at run time. All scripts together grow by a fifth. Sizes are those of the sources, in bytes.
          experimentalInlineCommonChunks: { maxSize: 30_000, exclude: /\.css$/ },
        },
      },
    },
    // The content security policy forbids data: scripts and fonts, so every asset is a separate file.
    assetsInlineLimit: 0,
  },
});
