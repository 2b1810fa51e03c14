import { type Command, Option } from "commander";
import { CommandWithAgent } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { createLog, defaultLogLevel, type LogLevel } from "../log.js";
import { isLoopbackHost } from "../loopback.js";
import { readToken, tokenFileOption, tokenVariable } from "../remote-options.js";
import { type ListenAddress, readListenAddress } from "../serve/listen-address.js";
import { serveAgent } from "../serve/serve-agent.js";
import { cwdOption, logLevelOption } from "../shared-options.js";

interface ServeOptions {
  readonly listen: ListenAddress;
  readonly auth: "none" | "token";
  readonly tokenFile?: string;
  readonly allowHost?: readonly string[];
  readonly allowOrigin?: readonly string[];
  readonly cwd?: string;
  readonly json?: boolean;
  readonly logLevel?: LogLevel;
}

/** `acp-kit serve`: serves a stdio agent at a URL. */
export function serveCommand(host: Host): Command {
  const command = new CommandWithAgent("serve");
  return command
    .summary("serve an agent at a URL, with one agent process for each connection")
    .description(
      "Serves an agent's command over HTTP and WebSocket at /acp, until it receives a signal. Each connection starts the agent and\n" +
        "ends it. Without other options, only programs of this machine that know the token can connect.",
    )
    .option("--http", "serve over HTTP and WebSocket on one port, which is also the default")
    .addOption(
      new Option("--listen <host:port>", "the address to listen on; port 0 is a free port")
        .argParser(readListenAddress)
        .default({ host: "127.0.0.1", port: 0 } satisfies ListenAddress, "127.0.0.1:0"),
    )
    .addOption(
      new Option("--auth <how>", "who may connect: clients that know the token, or every client of this machine (none)")
        .choices(["token", "none"])
        .default("token"),
    )
    .addOption(
      tokenFileOption(
        `a file with the token that clients must send; also ${tokenVariable} (default: a new token, which is printed)`,
      ),
    )
    .addOption(
      new Option("--allow-host <host>", "a host name that requests may use for the server; may be repeated").argParser(
        add,
      ),
    )
    .addOption(
      new Option("--allow-origin <origin>", "an origin whose web pages may use the server; may be repeated").argParser(
        addOrigin,
      ),
    )
    .addOption(cwdOption("the working directory of the agents"))
    .option("--json", "print one JSON object: url, webSocketUrl, token")
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ServeOptions) => {
      const agent = command.agentOf(words);
      const { listen, auth, tokenFile, allowHost = [], allowOrigin = [], cwd = host.cwd, json = false } = options;
      if (auth === "none" && tokenFile !== undefined) {
        throw usageFailure("--auth none needs no token, but --token-file names one. Give one of them.");
      }
      const other = [listen.host, ...allowHost].find((name) => !isLoopbackHost(nameOf(name)));
      if (auth === "none" && other !== undefined) {
        throw usageFailure(
          `--auth none is for this machine only, but other machines can reach ${other}. Use --auth token.`,
        );
      }
      host.exitCode = await serveAgent(
        {
          agent,
          cwd,
          listen,
          auth,
          token: auth === "none" ? undefined : readToken({ ...(tokenFile !== undefined && { tokenFile }) }, host),
          allowedHosts: allowHost,
          allowedOrigins: allowOrigin,
          json,
        },
        host,
        createLog(host, options.logLevel ?? defaultLogLevel(host)),
      );
    });
}

function add(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function addOrigin(text: string, before: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === "null" || origin !== text.toLowerCase().replace(/\/$/, "")) {
    throw usageFailure(`--allow-origin ${text}: an origin is a scheme and a host, such as https://app.example.com`);
  }
  return [...before, origin];
}

/** A host without its port. */
function nameOf(host: string): string {
  return /^(?:\[[^\]]*\]|[^:]+)(?=:\d+$)/.exec(host)?.[0] ?? host;
}

const afterHelp = `
Exit codes:
  0 a signal ended it   1 it can't listen there   2 usage   130 left at once, by a second signal

Examples:
  acp-kit serve --http -- gemini --acp
  acp-kit serve --listen 127.0.0.1:8080 --token-file token --allow-origin https://app.example.com -- opencode acp
  acp-kit serve --json --auth none -- acp-kit demo-agent | head -1`;
