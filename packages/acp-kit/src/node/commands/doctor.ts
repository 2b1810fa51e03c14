import type { Command } from "commander";
import { type AgentNameOption, CommandWithAgent } from "../agent-argument.js";
import { examinationText } from "../doctor/examination-text.js";
import { examineVersions } from "../doctor/examine-versions.js";
import { exitCodeOf } from "../exit-code-of.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { jsonText } from "../json-text.js";
import { createLog, type LogLevel } from "../log.js";
import { type ProtocolChoice, protocolOption } from "../protocol-version.js";
import type { RemoteOptions } from "../remote-options.js";
import { logLevelOption, sessionCwdOption, sessionDirectory, timeoutOption } from "../shared-options.js";

interface DoctorOptions extends RemoteOptions, AgentNameOption {
  readonly cwd?: string;
  readonly session: boolean;
  readonly matrix?: boolean;
  readonly out?: string;
  readonly page?: string;
  readonly quick?: boolean;
  readonly protocol: ProtocolChoice;
  readonly json?: boolean;
  readonly timeout?: number;
  readonly logLevel?: LogLevel;
}

/** `acp-kit doctor`: reports what an agent can do, and its deviations from the protocol. */
export function doctorCommand(host: Host): Command {
  const command = new CommandWithAgent("doctor");
  return command
    .summary("start an agent and report its capabilities, its deviations from the protocol, and whether it exits")
    .description(
      "Starts an agent, sends `initialize`, and reports: the agent's capabilities, login methods, session options and commands, its deviations " +
        "from the protocol, how long it takes to start, and whether it exits when its input ends.\n" +
        "An agent that speaks versions 1 and 2 of the protocol is started and examined once for each.\n" +
        "The command sends no prompt and starts no login.",
    )
    .addRemoteOptions()
    .addOption(sessionCwdOption())
    .option("--no-session", "don't open a session: report only the response to `initialize`")
    .option("--json", "print the report as one JSON object")
    .option("--matrix", "measure the named agents with a scripted model, and print rows for @acp-kit/registry/quirks")
    .option("--out <file>", "with --matrix: the file of rows to update, instead of printing them")
    .option("--quick", "with --matrix: don't run the conformance kit, which takes minutes")
    .option("--page <file>", "with --matrix: a Markdown file to write, generated from all rows")
    .addOption(protocolOption("auto"))
    .addOption(timeoutOption())
    .addOption(logLevelOption())
    .addHelpText(
      "after",
      "\nExamples:\n  acp-kit doctor gemini\n  acp-kit doctor -- gemini --acp\n  acp-kit doctor --url https://agents.example.com/acp --token-file token",
    )
    .action(async (words: string[], options: DoctorOptions) => {
      if (options.matrix) {
        using interrupts = listenForInterrupts(host, { timeoutMs: options.timeout });
        // Imported only here, because the module imports the conformance kit
        const { runMatrix } = await import("../doctor/matrix/run-matrix.js");
        await runMatrix(words, host, {
          out: options.out,
          page: options.page,
          isQuick: options.quick === true,
          signal: interrupts.stop,
        });
        return;
      }
      const agent = await command.targetOf(words, options, host);
      const cwd = sessionDirectory(agent, options, host);
      // Only errors, because the diagnostics are part of the result
      const log = createLog(host, options.logLevel ?? "error");
      using interrupts = listenForInterrupts(host, {
        timeoutMs: options.timeout,
        onStop: ({ message }) => log.error(message),
      });
      const { examination: found, error } = await examineVersions(agent, host, {
        cwd,
        protocol: options.protocol,
        log,
        openSession: options.session,
        stop: interrupts.stop,
        kill: interrupts.leave,
        onWait(step) {
          if (host.stderr.isTerminal) host.stderr.line(`still waiting for ${step}; Ctrl-C stops waiting`);
        },
      });
      const examination = hideInValue(found, host);
      const text = options.json ? `${jsonText(examination)}\n` : examinationText(examination, host.stdout.colours);
      host.stdout.write(text);
      const { stop } = interrupts;
      if (stop.aborted) host.exitCode = exitCodeOf(stop.reason);
      else if (error !== undefined) host.exitCode = exitCodeOf(error);
    });
}
