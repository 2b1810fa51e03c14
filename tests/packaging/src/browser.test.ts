import { createRequire } from "node:module";
import { join } from "node:path";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, inject, it } from "vitest";
import { neutralEntries } from "./entries.js";

const { npm: home } = inject("homes");
const require = createRequire(join(home, "package.json"));

/** The globals of the web platform that our packages may use, without Node's globals. */
const webGlobals = {
  AbortController,
  AbortSignal,
  atob,
  btoa,
  clearTimeout,
  crypto,
  DOMException,
  Event,
  EventTarget,
  queueMicrotask,
  ReadableStream,
  setTimeout,
  structuredClone,
  TextDecoder,
  TextEncoder,
  TransformStream,
  URL,
  WritableStream,
};

async function bundle(specifier: string): Promise<string> {
  const { outputFiles, warnings } = await build({
    stdin: { contents: `export * from ${JSON.stringify(specifier)};`, resolveDir: home },
    bundle: true,
    platform: "browser",
    external: ["@ai-sdk/mcp"], // an optional peer, which is loaded when an agent gets servers
    format: "iife",
    globalName: "bundled",
    write: false,
    logLevel: "silent",
  });
  expect(warnings).toEqual([]);
  return outputFiles[0]?.text ?? "";
}

it.each(neutralEntries)("bundles $specifier for a browser, where Node's globals don't exist", async ({ specifier }) => {
  const names = runInContext(`${await bundle(specifier)}; Object.keys(bundled)`, createContext({ ...webGlobals }));
  expect([...names].sort()).toEqual(Object.keys(require(specifier)).sort());
});
