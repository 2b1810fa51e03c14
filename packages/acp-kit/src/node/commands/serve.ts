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

/** `acp-kit serve`: a stdio agent behind a URL. */
export function serveCommand(host: Host): Command {
  const command = new CommandWithAgent("serve");
  return command
    .summary("put an agent behind a URL, with a process for each connection")
    .description(
      "Serves an agent's command over HTTP and WebSocket at /acp, until a signal comes. Each connection starts the agent anew and\n" +
        "ends it. Without other options only programs of this machine that know the token reach it.",
    )
    .option("--http", "over HTTP and WebSocket on one port, which is what it does anyway")
    .addOption(
      new Option("--listen <host:port>", "where to listen; port 0 is a free one")
        .argParser(readListenAddress)
        .default({ host: "127.0.0.1", port: 0 } satisfies ListenAddress, "127.0.0.1:0"),
    )
    .addOption(
      new Option("--auth <how>", "who is let in: who has the token, or everybody (none; on loopback only)")
        .choices(["token", "none"])
        .default("token"),
    )
    .addOption(
      tokenFileOption(`a file with the token to ask for; also ${tokenVariable} (default: a new one, which is printed)`),
    )
    .addOption(
      new Option("--allow-host <host>", "a name that requests may call the server by; as often as needed").argParser(
        add,
      ),
    )
    .addOption(
      new Option("--allow-origin <origin>", "an origin whose pages may use it; as often as needed").argParser(
        addOrigin,
      ),
    )
    .addOption(cwdOption("where the agents run"))
    .option("--json", "print one object: url, webSocketUrl, token")
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], options: ServeOptions) => {
      const agent = command.agentOf(words);
      const { listen, auth, tokenFile, allowHost = [], allowOrigin = [], cwd = host.cwd, json = false } = options;
      if (auth === "none" && tokenFile !== undefined) {
        throw usageFailure("--auth none asks for no token, and --token-file names one. Give one of them.");
      }
      const other = [listen.host, ...allowHost].find((name) => !isLoopbackHost(nameOf(name)));
      if (auth === "none" && other !== undefined) {
        throw usageFailure(
          `--auth none is for this machine alone, and ${other} is reached by others. Use --auth token.`,
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
