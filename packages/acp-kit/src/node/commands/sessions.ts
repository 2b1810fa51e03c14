import type { Command } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { usageFailure } from "../command-failure.js";
import { exitCodeOf } from "../exit-code-of.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { createLog, type LogLevel } from "../log.js";
import type { RemoteOptions } from "../remote-options.js";
import {
  closeSession,
  deleteSession,
  listSessions,
  type SessionAction,
  showSession,
} from "../sessions/session-actions.js";
import { listedDirectory, logLevelOption, timeoutOption } from "../shared-options.js";
import { startAgent } from "../start-agent.js";

interface SessionsOptions extends RemoteOptions, AgentNameOption {
  readonly cwd?: string;
  readonly json?: boolean;
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
}

const actions: Readonly<Record<string, (action: SessionAction, sessionId: string) => Promise<void>>> = {
  show: showSession,
  close: closeSession,
  delete: deleteSession,
};

/** `acp-kit sessions`: lists, shows and ends the sessions of an agent. */
export function sessionsCommand(host: Host): Command {
  const description = "list (default), show <id>, close <id> or delete <id>";
  const command = new CommandWithAgent("sessions", { before: { name: "action", description } });
  return command
    .summary("list, show and end the sessions of an agent, or of a server")
    .description(
      "Lists the sessions of an agent. `show` prints the history of a session. `close` ends the agent of a session and keeps the history. " +
        "`delete` ends the agent and removes the history.",
    )
    .addRemoteOptions()
    .option("--cwd <dir>", "only sessions of this folder (default: all folders)")
    .option("--json", "print one JSON object per line: a session, or an update of its history")
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nExamples:\n  acp-kit sessions --url https://agents.example.com/acp --token-file token\n  acp-kit sessions show 5c0ffee --url https://agents.example.com/acp",
    )
    .action(async (words: string[], options: SessionsOptions) => {
      const [name = "list", sessionId, ...more] = words;
      const run = Object.hasOwn(actions, name) ? actions[name] : undefined;
      if ((run === undefined && name !== "list") || more.length > 0) {
        throw usageFailure(`sessions takes list, show <id>, close <id> or delete <id>, not "${words.join(" ")}".`);
      }
      if (run === undefined ? sessionId !== undefined : sessionId === undefined) {
        throw usageFailure(
          run === undefined ? "list takes no id." : `The session's id is missing, as in: acp-kit sessions ${name} <id>`,
        );
      }
      // After the other checks, because it may install the agent
      const target = await command.targetOf(words, options, host);
      const cwd = options.cwd === undefined ? undefined : listedDirectory(target, options.cwd, host);
      const log = createLog(host, options.logLevel ?? "warn");
      using interrupts = listenForInterrupts(host, {
        timeoutMs: options.timeout,
        onStop: ({ message }) => log.error(message),
      });
      const { stop, leave: kill } = interrupts;
      try {
        await using started = await startAgent(target, host, { cwd: host.cwd, log, stop, kill });
        const action = { agent: started.connection, host, json: options.json ?? false, stop };
        if (run === undefined) await listSessions(action, cwd);
        else await run(action, sessionId ?? "");
      } catch (error) {
        if (!stop.aborted) throw error;
        host.exitCode = exitCodeOf(stop.reason); // the reason is in the log already
      }
    });
}
