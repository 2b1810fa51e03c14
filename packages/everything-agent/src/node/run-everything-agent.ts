import { stderr, stdout } from "node:process";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { serveStdio } from "@acp-kit/stdio/node";
import { everythingAgent } from "../everything-agent.js";
import { memoryLogin } from "../login.js";
import { readArguments, type ServeArguments, usageOf } from "./arguments.js";
import { fileLogin } from "./file-login.js";
import { fileStore } from "./file-store.js";
import { logIn } from "./log-in.js";
import { connectMcpServer } from "./mcp-server.js";

/** Options of {@link runEverythingAgent}. */
export interface RunOptions {
  /** The name of the command in its help. The default is `acp-everything-agent`. */
  readonly name?: string;
  /** The version that `--version` prints and that clients receive. */
  readonly version: string;
}

/**
 * Runs the command line of the everything agent, for a program that offers it under another name. Without an option
 * such as `--help` or `--login`, the function serves the agent over the standard input and output of the current
 * process, and doesn't return. With such an option, it resolves with the exit code.
 *
 * @param args the options, such as `["--store", "dir"]`; `--help` lists them.
 */
export async function runEverythingAgent(args: readonly string[], options: RunOptions): Promise<number> {
  checkOptions("runEverythingAgent", options, optionKinds);
  const { name, version } = options;
  const read = readArguments(args);
  const usage = usageOf(name ?? "acp-everything-agent");
  switch (read.run) {
    case "help":
      stdout.write(usage);
      return 0;
    case "version":
      stdout.write(`${version}\n`);
      return 0;
    case "login":
      return (await logIn(fileLogin(read.store))) ? 0 : 1;
    case "fail":
      stderr.write(`${read.problem}\n\n${usage}`);
      return 2;
    case "serve":
      return serve(read, version);
  }
}

const optionKinds: OptionKinds<RunOptions> = { name: "value", version: "value!" };

function serve({ store, auth, pageSize, paceMs, concurrentPrompts }: ServeArguments, version: string): Promise<never> {
  const login = store === undefined ? memoryLogin() : fileLogin(store);
  const agent = everythingAgent(
    {
      ...(store !== undefined && { store: fileStore(store) }),
      ...(auth && { login }),
      ...(store !== undefined && { terminalLoginArgs: ["--login"] }),
      version,
      connectMcp: connectMcpServer,
      pageSize,
      paceMs,
    },
    { ...(concurrentPrompts && { concurrentPrompts }) },
  );
  return serveStdio(agent);
}
