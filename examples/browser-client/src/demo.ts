// Bundles the page and the worker for a browser, and runs both with the globals of the web and without those of Node.
// With `--write`, the bundles are written to dist/, for index.html in a real browser.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { MessageChannel, type MessagePort } from "node:worker_threads";
import { build } from "esbuild";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const { outputFiles, warnings } = await build({
  entryPoints: [pathOf("page.ts"), pathOf("worker.ts")],
  bundle: true,
  minify: true,
  platform: "browser", // importing a module of Node would be an error
  format: "iife",
  target: "es2022",
  outdir: pathOf("../dist"),
  write: false,
  logLevel: "silent",
});
assert.deepEqual(warnings, []);
const bundles = new Map(outputFiles.map(({ path, text }) => [basename(path), text]));
if (process.argv.includes("--write")) {
  for (const { path, text } of outputFiles) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
}

/** The globals of a browser, without those of Node such as process, Buffer, require and setImmediate. */
const webGlobals = {
  ...{ AbortController, AbortSignal, DOMException, Event, EventTarget, URL, TextDecoder, TextEncoder },
  ...{ ReadableStream, WritableStream, TransformStream, queueMicrotask, setTimeout, clearTimeout, structuredClone },
  ...{ crypto, performance, btoa, atob },
};

function run(name: string, globals: object): void {
  runInContext(
    bundles.get(name) ?? assert.fail(`${name} was not bundled`),
    createContext({ ...webGlobals, ...globals }),
  );
}

const shown: string[] = [];
const ports: MessagePort[] = [];
const done = new Promise<void>((resolve) => {
  const list = {
    append({ textContent }: { readonly textContent: string }): void {
      shown.push(textContent);
      if (textContent === "closed" || textContent.startsWith("failed")) resolve();
    },
  };
  class Worker {
    constructor(url: string) {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      run(basename(url), { self: port2 });
      // biome-ignore lint/correctness/noConstructorReturn: the page uses the returned port as its `Worker`
      return port1;
    }
  }
  run("page.js", { Worker, document: { createElement: () => ({ textContent: "" }), getElementById: () => list } });
});
await done;
for (const port of ports) port.close();

assert.equal(shown[0], "connected to Everything Agent");
assert.equal(
  shown.filter((line) => line.startsWith("plan: ")).at(-1),
  "plan: completed, completed, completed, completed",
);
assert.match(
  shown.find((line) => line.startsWith("/permission")) ?? "",
  /\(allow_once\), so it is allowed\. \(end_turn\)$/,
);
assert.match(shown.find((line) => line.startsWith("Hello!")) ?? "", /1\. text: Hello!/);
assert.equal(shown.at(-1), "closed");
const sizes = [...bundles].map(([name, text]) => `${name} ${(text.length / 1000).toFixed(0)} kB`).join(", ");
console.log(`browser-client: three turns without Node (${sizes}, minified)`);
