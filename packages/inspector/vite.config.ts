import { defineConfig } from "vite";

// The build creates one script and one style with fixed names, because the server and the self-contained page refer to
// these names.
export default defineConfig({
  root: "page",
  publicDir: false,
  build: {
    outDir: "../dist/page",
    emptyOutDir: true,
    target: "es2022",
    cssCodeSplit: false,
    modulePreload: false,
    assetsInlineLimit: 0,
    rollupOptions: {
      input: "page/main.tsx",
      output: { entryFileNames: "page.js", assetFileNames: "page.[ext]", format: "iife", name: "acpKitInspector" },
    },
  },
});
