import { type AgentProcess, guardStdout, nodeTransport, spawnAgent } from "@acp-kit/stdio/node";
import {
  createReplayer,
  type Difference,
  formatDifference,
  type Recording,
  type ReplayReport,
  runsOf,
} from "@acp-kit/testing/recording";
import { CommandFailure, usageFailure } from "../command-failure.js";
import { detachedText } from "../detached-text.js";
import { errorText } from "../error-text.js";
import { ExitCode } from "../exit-code.js";
import { hideInLines, hideInText } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { processLedger } from "../process-ledger.js";
import { readFileOrInput } from "../trace/read-file.js";

/** Options of {@link replayFile}. */
export interface ReplayFileOptions {
  readonly file: string;
  /** The command line of the agent; only with `as: "client"`. */
  readonly agent: readonly string[];
  readonly as: "agent" | "client";
  readonly strict: boolean;
  readonly keepPaths: boolean;
  readonly speed: number | undefined;
  /** The number of the connection in the recording, from 1. */
  readonly run: number;
}

/** Replays a recording to the live peer, and reports differences on standard error. */
export async function replayFile(options: ReplayFileOptions, host: Host): Promise<ExitCode> {
  const { file, as, strict, keepPaths, speed } = options;
  if (file === "-")
    throw usageFailure("The recording can't be read from standard input, which the live peer uses: name a file.");
  if (as === "agent" && options.agent.length > 0) {
    throw usageFailure("An agent's command is given, but the recording is replayed as an agent: add --as client.");
  }
  const run = runOf(await readFileOrInput(file, host), options.run);
  const replayer = createReplayer(run, {
    as,
    strict,
    paths: keepPaths ? "keep" : "map",
    onDifference: (difference: Difference) => host.stderr.write(hideInText(formatDifference(difference), host)),
    ...(speed !== undefined && { clock: { wait: (ms: number) => pause(ms / speed) } }),
  });
  const agent = agentOf(options, host);
  const connection = replayer.connect(agent ?? nodeTransport(host.stdin, guardStdout()));
  let isCancelled = false;
  const stop = (): void => {
    isCancelled = true;
    void connection.close();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.once(signal, stop);
  const report = await connection.closed;
  for (const signal of signals) process.off(signal, stop);
  const { sent, recorded, received, expected, differences } = report;
  host.stderr.line(
    `acp-kit replay: sent ${sent} of ${recorded} messages, received ${received} of ${expected}, ${differences.length} differences`,
  );
  await agent?.close();
  if (isCancelled) return ExitCode.cancelled; // the rest of the recording is missing, so there is no verdict
  const failure = (await agent?.exited)?.error;
  // Without a difference, the agent ended as the recorded one did.
  if (failure !== undefined && (differences.length > 0 || sent + received === 0)) {
    throw new CommandFailure(ExitCode.agentFailed, errorText(failure), { cause: failure });
  }
  return exitCodeOf(report, strict);
}

function runOf(recording: Recording, number: number): Recording {
  const runs = runsOf(recording);
  const run = runs[number - 1];
  if (run === undefined)
    throw usageFailure(`There is no --run ${number}: the recording has ${runs.length} connections.`);
  return run;
}

/**
 * Starts the live agent, if the options contain its command. Otherwise returns `undefined`: the live peer then uses the
 * standard streams, so all other output goes to standard error.
 */
function agentOf({ agent }: ReplayFileOptions, host: Host): AgentProcess | undefined {
  const [command, ...args] = agent;
  if (command === undefined) return undefined;
  const hide = hideInLines(host);
  const ledger = processLedger(host);
  return spawnAgent({
    command,
    args,
    cwd: host.cwd,
    onStderr: (line) => host.stderr.line(`agent: ${hide(line)}`),
    onDetachedProcesses: (processes) => host.stderr.line(detachedText(processes)),
    ...(ledger !== undefined && { ledger }),
  });
}

function exitCodeOf({ differences, died }: ReplayReport, strict: boolean): ExitCode {
  if (strict && differences.length > 0) return ExitCode.error;
  return (died === undefined ? ExitCode.ok : (died.exitCode ?? ExitCode.error)) as ExitCode;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
