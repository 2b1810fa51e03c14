import { type Command, InvalidArgumentError, Option } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import type { AgentCommand } from "../agent-target.js";
import type { Host } from "../host.js";
import { createLog, defaultLogLevel, type LogLevel } from "../log.js";
import { tokenFileOption, tokenVariable } from "../remote-options.js";
import { readHost, readOrigin } from "../serve/allowed-names.js";
import { readServeConfig, type ServeConfig } from "../serve/config/serve-config.js";
import { type EngineChoice, readEngine } from "../serve/engine-choice.js";
import { readListenAddress } from "../serve/listen-address.js";
import { serveAgent } from "../serve/serve-agent.js";
import { type DelegatedAccess, defaultDrainMs, type ServeOptions, serveSettings } from "../serve/serve-settings.js";
import { cwdOption, logLevelOption } from "../shared-options.js";
import { loadProxies, useOption } from "../use-proxies.js";

interface ServeCommandOptions extends Omit<ServeOptions, "engine">, AgentNameOption {
  readonly engine?: string;
  readonly use?: readonly string[];
  readonly logLevel?: LogLevel;
}

/** `acp-kit serve`: serves a stdio agent at a URL. Sessions outlive connections, agent processes and servers. */
export function serveCommand(host: Host): Command {
  const command = new CommandWithAgent("serve");
  return command
    .summary("serve an agent at a URL; sessions outlive connections and restarts")
    .description(
      "Serves an agent over HTTP and WebSocket at /acp until the command receives a signal. Each session has an agent process of its own. " +
        "Sessions are stored in a file, and continue without a client. By default, only programs of this machine can connect, and only with the token.",
    )
    .addAgentOption()
    .option("--http", "serve over HTTP and WebSocket on one port (the default)")
    .option("--config <file>", "a JSON file with settings, users and limits; options override it")
    .addOption(
      new Option(
        "--listen <host:port>",
        "the address to listen on; port 0 is a free port (default: 127.0.0.1:0)",
      ).argParser(readListenAddress),
    )
    .option(
      "--engine <engine>",
      "where sessions are stored: sqlite, sqlite:<file>, redis://…, postgres://…, memory, or none: a new agent for each connection (default: sqlite, in a file of the user's state folder)",
    )
    .option(
      "--replica-address <host:port>",
      "the address at which other servers with the same engine reach this server; this server also listens at this address",
    )
    .option("--replica-secret-file <file>", "a file with the secret that these servers share")
    .addOption(
      new Option(
        "--auth <how>",
        "who may connect: clients with the token, or every client of this machine (none) (default: token)",
      ).choices(["token", "none"]),
    )
    .addOption(
      tokenFileOption(
        `a file with the token that clients must send; also ${tokenVariable} (default: a new token, which is printed)`,
      ),
    )
    .option("--tls-cert <file>", "a certificate as PEM, with --tls-key; the URLs are then https: and wss:")
    .option("--tls-key <file>", "the private key of --tls-cert, as PEM")
    .addOption(
      new Option(
        "--allow-host <host>",
        "a host name that the server accepts in the Host header of a request, such as the name of a proxy in front of the server; may be repeated",
      ).argParser(addHost),
    )
    .addOption(
      new Option("--allow-origin <origin>", "an origin whose web pages may use the server; may be repeated").argParser(
        addOrigin,
      ),
    )
    .addOption(
      new Option(
        "--delegate <what>",
        "agents use the client's files or terminals instead of those of this machine; may be repeated",
      )
        .choices(["files", "terminals"])
        .argParser(addDelegated),
    )
    .addOption(
      new Option(
        "--protocol <versions>",
        "the versions of the protocol that the agent and clients may speak: 1 (default); or auto: 1 and 2, also different ones",
      ).choices(["1", "auto"]),
    )
    .addOption(
      new Option(
        "--drain <seconds>",
        `how long running turns may continue after a signal (default: ${defaultDrainMs / 1000})`,
      ).argParser(readSeconds),
    )
    .option("--metrics", "serve metrics for Prometheus at /metrics, to clients with the token")
    .addOption(useOption())
    .addOption(cwdOption("the folder of the sessions: they work in it or below it"))
    .option("--json", "print one JSON object: url, webSocketUrl, token")
    .addOption(logLevelOption())
    .addHelpText("after", afterHelp)
    .action(async (words: string[], { engine, use, ...options }: ServeCommandOptions) => {
      const config = options.config === undefined ? {} : readServeConfig(options.config);
      const agent = await agentOf(command, words, options, config, host);
      const choice: EngineChoice | undefined = engine === undefined ? undefined : readEngine(engine, "--engine");
      const settings = serveSettings(agent, { ...options, ...(choice && { engine: choice }) }, config, host);
      const level = options.logLevel ?? config.logLevel ?? defaultLogLevel(host);
      const proxies = await loadProxies(use, host);
      host.exitCode = await serveAgent(settings, proxies, host, createLog(host, level));
    });
}

/** Returns the agent that the command line names. Without one, returns the agent of the configuration file. */
async function agentOf(
  command: CommandWithAgent,
  words: readonly string[],
  options: AgentNameOption,
  { agent }: ServeConfig,
  host: Host,
): Promise<AgentCommand> {
  if (agent === undefined || options.agent !== undefined || command.namesAgent(words))
    return await command.agentOf(words, options, host);
  return { command: agent.command, args: agent.args ?? [], ...(agent.env !== undefined && { env: agent.env }) };
}

function addHost(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readHost(text, "--allow-host")];
}

function addDelegated(text: string, before: readonly DelegatedAccess[] = []): readonly DelegatedAccess[] {
  if (text !== "files" && text !== "terminals") throw new InvalidArgumentError("Expected files or terminals.");
  return [...before, text];
}

function addOrigin(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, readOrigin(text, "--allow-origin")];
}

/** Parses seconds into milliseconds. */
function readSeconds(text: string): number {
  const seconds = text.trim() === "" ? Number.NaN : Number(text);
  if (!(seconds >= 0 && seconds <= 86_400)) throw new InvalidArgumentError("Expected seconds, from 0 to 86400.");
  return seconds * 1000;
}

const afterHelp = `
Exit codes:
  0 ended by a signal   1 the server can't listen, or can't open the file of the sessions
  2 wrong command line or file, or Redis or PostgreSQL can't be reached or does not meet the requirements
  130 exited immediately, after a second signal

Examples:
  acp-kit serve -- gemini --acp
  acp-kit serve --listen 127.0.0.1:8080 --token-file token --allow-origin https://app.example.com -- opencode acp
  acp-kit serve --config team.json
  acp-kit serve --engine redis://10.0.0.2:6379 --token-file token -- gemini --acp
  acp-kit serve --json --auth none --engine memory -- acp-kit demo-agent`;
