import { type Command, InvalidArgumentError, Option } from "commander";
import { type AgentCommand, type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import type { Host } from "../host.js";
import { createLog, defaultLogLevel, type LogLevel } from "../log.js";
import { tokenFileOption, tokenVariable } from "../remote-options.js";
import { readServeConfig, type ServeConfig } from "../serve/config/serve-config.js";
import { type EngineChoice, readEngine } from "../serve/engine-choice.js";
import { readListenAddress } from "../serve/listen-address.js";
import { serveAgent } from "../serve/serve-agent.js";
import {
  type DelegatedAccess,
  defaultDrainSeconds,
  type ServeOptions,
  serveSettings,
} from "../serve/serve-settings.js";
import { cwdOption, logLevelOption } from "../shared-options.js";

interface ServeCommandOptions extends Omit<ServeOptions, "engine">, AgentNameOption {
  readonly engine?: string;
  readonly logLevel?: LogLevel;
}

/** `acp-kit serve`: a stdio agent behind a URL, whose sessions survive connections, agents and servers. */
export function serveCommand(host: Host): Command {
  const command = new CommandWithAgent("serve");
  return command
    .summary("serve an agent at a URL; its sessions outlive connections and restarts")
    .description(
      "Serves an agent's command over HTTP and WebSocket at /acp, until it receives a signal. Each session has an agent of its own;\n" +
        "sessions are kept in a file, and continue without a client. Without other options, only programs of this machine that\n" +
        "know the token can connect.",
    )
    .addAgentOption()
    .option("--http", "serve over HTTP and WebSocket on one port, which is also the default")
    .option("--config <file>", "a JSON file with these settings, users and limits; options override it")
    .addOption(
      new Option(
        "--listen <host:port>",
        "the address to listen on; port 0 is a free port (default: 127.0.0.1:0)",
      ).argParser(readListenAddress),
    )
    .option(
      "--engine <engine>",
      "where sessions are kept: sqlite, sqlite:<file>, redis://…, postgres://…, memory, or none: an agent for each\nconnection (default: sqlite, in a file of the user's state folder)",
    )
    .option(
      "--replica-address <host:port>",
      "where other servers of the same engine reach this one; it also listens there",
    )
    .option("--replica-secret-file <file>", "a file with the secret that all of these servers share")
    .addOption(
      new Option(
        "--auth <how>",
        "who may connect: clients that know the token, or every client of this machine (none) (default: token)",
      ).choices(["token", "none"]),
    )
    .addOption(
      tokenFileOption(
        `a file with the token that clients must send; also ${tokenVariable} (default: a new token, which is printed)`,
      ),
    )
    .option("--tls-cert <file>", "a certificate as PEM, with --tls-key: https: and wss:")
    .option("--tls-key <file>", "its key")
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
    .addOption(
      new Option(
        "--delegate <what>",
        "what the client serves instead of this machine: files, terminals; may be repeated",
      )
        .choices(["files", "terminals"])
        .argParser(addDelegated),
    )
    .addOption(
      new Option(
        "--drain <seconds>",
        `how long running turns may go on after a signal (default: ${defaultDrainSeconds})`,
      ).argParser(readSeconds),
    )
    .option("--metrics", "serve metrics for Prometheus at /metrics, to clients that know the token")
    .addOption(cwdOption("the working directory of the agents"))
    .option("--json", "print one JSON object: url, webSocketUrl, token")
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], { engine, ...options }: ServeCommandOptions) => {
      const config = options.config === undefined ? {} : readServeConfig(options.config);
      const agent = await agentOf(command, words, options, config, host);
      const choice: EngineChoice | undefined = engine === undefined ? undefined : readEngine(engine, "--engine");
      const settings = serveSettings(agent, { ...options, ...(choice && { engine: choice }) }, config, host);
      const level = options.logLevel ?? config.logLevel ?? defaultLogLevel(host);
      host.exitCode = await serveAgent(settings, host, createLog(host, level));
    });
}

/** The command behind `--`, or that of the configuration. */
async function agentOf(
  command: CommandWithAgent,
  words: readonly string[],
  options: AgentNameOption,
  { agent }: ServeConfig,
  host: Host,
): Promise<AgentCommand> {
  if (agent === undefined || options.agent !== undefined || command.namesAgent(words))
    return await command.agentOf(words, options, host);
  return { command: agent.command, args: agent.args ?? [] };
}

function add(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

function addDelegated(text: string, before: readonly DelegatedAccess[] = []): readonly DelegatedAccess[] {
  if (text !== "files" && text !== "terminals") throw new InvalidArgumentError("Expected files or terminals.");
  return [...before, text];
}

function addOrigin(text: string, before: readonly string[] = []): readonly string[] {
  const origin = URL.canParse(text) ? new URL(text).origin : "null";
  if (origin === "null" || origin !== text.toLowerCase().replace(/\/$/, "")) {
    throw usageFailure(`--allow-origin ${text}: an origin is a scheme and a host, such as https://app.example.com`);
  }
  return [...before, origin];
}

function readSeconds(text: string): number {
  const seconds = text.trim() === "" ? Number.NaN : Number(text);
  if (!(seconds >= 0 && seconds <= 86_400)) throw new InvalidArgumentError("Expected seconds, from 0 to 86400.");
  return seconds;
}

const afterHelp = `
Exit codes:
  0 a signal ended it   1 it can't listen there, or can't open the sessions   2 usage
  130 left at once, by a second signal

Examples:
  acp-kit serve -- gemini --acp
  acp-kit serve --listen 127.0.0.1:8080 --token-file token --allow-origin https://app.example.com -- opencode acp
  acp-kit serve --config team.json
  acp-kit serve --engine redis://10.0.0.2:6379 --token-file token -- gemini --acp
  acp-kit serve --json --auth none --engine memory -- acp-kit demo-agent | head -1`;
