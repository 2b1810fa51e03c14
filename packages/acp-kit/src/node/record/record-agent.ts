import { basename, extname, join, resolve } from "node:path";
import { openRecordingFile, type RecordedProcess, type RecordingFile, recordProcess } from "@acp-kit/testing/node";
import { recorder } from "@acp-kit/testing/recording";
import { agentRedactor } from "../agent-redactor.js";
import type { AgentCommand } from "../agent-target.js";
import { usageFailure } from "../command-failure.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { stateDirectory } from "../state-directory.js";
import { fileReasonClause } from "../user-file.js";
import { version } from "../version.js";
import { endAsAgent } from "./end-as-agent.js";
import { ownStreams } from "./own-streams.js";
import { passedSignals } from "./passed-signals.js";
import { recordedCommand } from "./recorded-command.js";

/** The options of `acp-kit record`. */
export interface RecordAgentOptions {
  readonly cwd: string;
  readonly out: string | undefined;
  readonly overwrite: boolean;
  readonly fileContents: boolean;
  readonly maxMegabytes: number | undefined;
  readonly showSecrets: boolean;
}

/** Runs the agent between the streams of this process and records its messages. Resolves with the agent's exit code. */
export async function recordAgent(agent: AgentCommand, host: Host, options: RecordAgentOptions): Promise<number> {
  const file = openFile(agent, host, options);
  // A client may parse the agent's standard error, so this command writes its own lines only to a terminal.
  const report = (text: string): void => {
    if (host.stderr.isTerminal) host.stderr.line(`acp-kit record: ${text}`);
  };
  report(`recording to ${file.path}`);
  const tape = recorder({
    in: "between",
    sink: file,
    redactor: agentRedactor(agent, host),
    recorder: { name: "acp-kit", version: version() },
    secrets: options.showSecrets,
    fileContents: options.fileContents,
    ...(options.maxMegabytes !== undefined && { maxRecordingBytes: options.maxMegabytes * 1_048_576 }),
    // Written even without a terminal, because the user must know that the recording is incomplete.
    onError: (error) => host.stderr.line(`acp-kit record: recording stopped: ${errorText(error)}`),
  });
  let running: RecordedProcess | undefined;
  // Called before the agent starts, so that no signal is lost
  const release = passedSignals((signal) => running?.signal(signal));
  running = recordProcess({ ...recordedCommand(agent, host), cwd: options.cwd, recorder: tape, ...ownStreams() });
  const exit = await running.ended;
  await tape.close();
  release();
  const exitCode = await endAsAgent(exit, agent.command, "record", host);
  return exitCode === 0 && tape.failure !== undefined ? ExitCode.error : exitCode;
}

function openFile(agent: AgentCommand, host: Host, { out, overwrite }: RecordAgentOptions): RecordingFile {
  const path = out === undefined ? defaultPath(agent, host) : resolve(host.cwd, out);
  try {
    return openRecordingFile(path, { overwrite });
  } catch (cause) {
    throw usageFailure(`Can't record to ${path}, because ${fileReasonClause(cause)}`, { cause });
  }
}

function defaultPath({ command }: AgentCommand, host: Host): string {
  const folder = stateDirectory("recordings", host.env);
  if (folder === undefined)
    throw usageFailure("There is no directory for recordings. Name a file for the recording: --out FILE");
  const time = new Date().toISOString().replaceAll(":", "-").replace(/\..*/, "");
  return join(folder, `${time}-${basename(command, extname(command))}.jsonl`);
}
