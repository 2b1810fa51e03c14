import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "@acp-kit/configs/packages";
import { afterAll, beforeAll, expect, it } from "vitest";
import { node, npm, run, succeed } from "./commands.js";

let scratch: string;
beforeAll(() => {
  scratch = realpathSync(mkdtempSync(join(tmpdir(), "acp-kit-try-")));
});
afterAll(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 3 }));

it("`npm run try` serves the packed packages, so that `npm create` and `npm install` work before the first release", async () => {
  const server = spawn(process.execPath, [join(root, "scripts", "try.mjs"), "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await printedUrl(server.stdout);
    const env = { npm_config_registry: url, npm_config_cache: join(scratch, "cache") };
    await succeed(npm("create", "acp-agent", "my-agent", "--yes"), scratch, env);
    expect(existsSync(join(scratch, "my-agent", "src"))).toBe(true);

    const other = join(scratch, "other");
    mkdirSync(other);
    writeFileSync(join(other, "package.json"), JSON.stringify({ private: true, type: "module" }));
    await succeed(npm("install", "@acp-kit/client", "@acp-kit/stdio", "--no-audit", "--no-fund"), other, env);
    const installed = JSON.parse(readFileSync(join(other, "node_modules/@acp-kit/client/package.json"), "utf8"));
    expect(JSON.stringify(installed)).not.toContain("workspace:");
    const program = 'import("@acp-kit/client").then(({ connectAgent }) => console.log(typeof connectAgent))';
    expect((await succeed(node("-e", program), other)).stdout).toBe("function\n");
  } finally {
    server.kill();
    await once(server, "exit");
  }
});

it("a package that is not built can't be packed", async () => {
  const directory = join(scratch, "unbuilt");
  mkdirSync(join(directory, "dist"), { recursive: true });
  const exports = { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } };
  writeFileSync(join(directory, "package.json"), JSON.stringify({ name: "unbuilt", exports }));
  const check = node(join(root, "tools/configs/check-built.mjs"));
  expect(await run(check, directory)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("it has no dist/index.js, dist/index.d.ts."),
  });
  for (const file of ["index.js", "index.d.ts"]) writeFileSync(join(directory, "dist", file), "");
  expect(await run(check, directory)).toMatchObject({ status: 0 });
});

async function printedUrl(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(output)) {
    const [, url] = /packages at (http:\/\/127\.0\.0\.1:\d+)/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("The command ended before it served the packages.");
}
