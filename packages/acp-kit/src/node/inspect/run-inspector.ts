import { once } from "node:events";
import { spawnAgent } from "@acp-kit/stdio/node";
import { recordProcess } from "@acp-kit/testing/node";
import type { AgentCommand } from "../agent-argument.js";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { ownStreams } from "../record/own-streams.js";
import { passedSignals } from "../record/passed-signals.js";
import { openRemote } from "../remote-agent.js";
import { readFileOrInput } from "../trace/read-file.js";
import { loadInspector } from "./load-inspector.js";

/** The options of `acp-kit inspect`. */
export interface RunInspectorOptions {
  readonly port: number;
  readonly cwd: string;
  readonly showSecrets: boolean;
}

const PURPOSE = "acp-kit inspect";

/** Inspects an agent that this command starts or reaches, until a signal comes. */
export async function runAgentInspector(target: AgentTarget, host: Host, options: RunInspectorOptions): Promise<void> {
  const { inspectAgent } = await loadInspector(PURPOSE);
  const { port, cwd, showSecrets } = options;
  const access = isRemote(target) ? "refused" : "real"; // an agent on another machine has no business with the files of this one
  await using inspector = await inspectAgent({
    port,
    cwd,
    secrets: showSecrets,
    access: { files: access, terminals: access },
    command: isRemote(target) ? [shownUrl(target.url)] : [target.command, ...target.args],
    open: async ({ onStderr }) => {
      if (isRemote(target)) return (await openRemote(target)).open();
      return spawnAgent({ ...target, cwd, onStderr });
    },
  });
  await untilInterrupted(host, inspector.url);
}

/** Shows a recording, or compares two, until a signal comes. */
export async function runRecordingInspector(
  files: readonly string[],
  host: Host,
  { port }: RunInspectorOptions,
): Promise<void> {
  const [first = "", second] = files;
  const { inspectRecording } = await loadInspector(PURPOSE);
  const recording = await readFileOrInput(first, host);
  const other = second === undefined ? {} : { other: await readFileOrInput(second, host) };
  await using inspector = await inspectRecording(recording, { port, ...other });
  await untilInterrupted(host, inspector.url);
}

/** Is the agent of another client: forwards every byte, and shows the messages. Resolves with the exit code of the agent. */
export async function runProxyInspector(
  agent: AgentCommand,
  host: Host,
  options: RunInspectorOptions,
): Promise<number> {
  const { inspectProxy } = await loadInspector(PURPOSE);
  await using inspector = await inspectProxy({ port: options.port, secrets: options.showSecrets });
  // A client shows or logs the standard error of its agents: there the user finds the address.
  host.stderr.line(`acp-kit inspect: open ${inspector.url}`);
  let forward = (_: NodeJS.Signals): void => {};
  const release = passedSignals((signal) => forward(signal));
  const running = recordProcess({ ...agent, cwd: options.cwd, recorder: inspector.recorder, ...ownStreams() });
  forward = (signal) => running.signal(signal);
  const { exitCode, error } = await running.ended;
  release();
  if (error !== undefined) {
    host.stderr.line(`acp-kit inspect: can't start "${agent.command}": ${error.message}`);
    return error.code === "ENOENT" ? 127 : 126;
  }
  return exitCode ?? 1;
}

async function untilInterrupted(host: Host, url: string): Promise<void> {
  host.stdout.line(url);
  host.stderr.line("acp-kit inspect: open this address in a browser; Ctrl-C ends the inspector and its agent");
  using interrupts = listenForInterrupts(host);
  if (!interrupts.stop.aborted) await once(interrupts.stop, "abort");
  host.exitCode = ExitCode.ok;
}
