#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { stderr, stdout } from "node:process";
import { serveStdio } from "@acp-kit/stdio/node";
import { everythingAgent } from "../everything-agent.js";
import { memoryLogin } from "../login.js";
import { readArguments, type ServeArguments, usage } from "./arguments.js";
import { fileLogin } from "./file-login.js";
import { fileStore } from "./file-store.js";
import { logIn } from "./log-in.js";

const args = readArguments(process.argv.slice(2));
switch (args.run) {
  case "help":
    stdout.write(usage);
    break;
  case "version":
    stdout.write(`${version()}\n`);
    break;
  case "login":
    process.exitCode = (await logIn(fileLogin(args.store))) ? 0 : 1;
    break;
  case "fail":
    stderr.write(`${args.problem}\n\n${usage}`);
    process.exitCode = 2;
    break;
  case "serve":
    await serve(args);
}

function serve({ store, auth, pageSize, paceMs, concurrentPrompts }: ServeArguments): Promise<never> {
  const login = store === undefined ? memoryLogin() : fileLogin(store);
  const agent = everythingAgent(
    {
      ...(store !== undefined && { store: fileStore(store) }),
      ...(auth && { login }),
      ...(store !== undefined && { terminalLoginArgs: ["--login"] }),
      version: version(),
      pageSize,
      paceMs,
    },
    { ...(concurrentPrompts && { concurrentPrompts }) },
  );
  return serveStdio(agent);
}

function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
