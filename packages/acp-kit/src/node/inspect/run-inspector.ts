import { once } from "node:events";
import { spawnAgent } from "@acp-kit/stdio/node";
import { type RecordedProcess, recordProcess } from "@acp-kit/testing/node";
import { type Recorder, recorder } from "@acp-kit/testing/recording";
import { agentRedactor } from "../agent-redactor.js";
import type { AgentCommand } from "../agent-target.js";
import { type AgentTarget, isRemote, shownUrl } from "../agent-target.js";
import { detachedText } from "../detached-text.js";
import { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { processLedger } from "../process-ledger.js";
import { endAsAgent } from "../record/end-as-agent.js";
import { ownStreams } from "../record/own-streams.js";
import { passedSignals } from "../record/passed-signals.js";
import { recordedCommand } from "../record/recorded-command.js";
import { openRemote } from "../remote-agent.js";
import { readFileOrInput } from "../trace/read-file.js";
import { loadInspector } from "./load-inspector.js";
import { hasBrowser, openBrowser } from "./open-browser.js";

/** The options of `acp-kit inspect`. */
export interface RunInspectorOptions {
  readonly port: number;
  readonly cwd: string;
  readonly showSecrets: boolean;
  /** Whether to open the page in a browser. `undefined`: if the user probably sees it; never for a proxy. */
  readonly open: boolean | undefined;
}

const PURPOSE = "acp-kit inspect";

/** Starts or connects to an agent, and serves the inspector's page until this process receives a signal. */
export async function runAgentInspector(target: AgentTarget, host: Host, options: RunInspectorOptions): Promise<void> {
  const { inspectAgent } = await loadInspector(PURPOSE);
  const { port, cwd, showSecrets } = options;
  const agent = isRemote(target) ? await openRemote(target) : localAgent(target, cwd, host);
  const access = isRemote(target) ? "refused" : "real"; // a remote agent must not use the files of this machine
  try {
    await using inspector = await inspectAgent({
      port,
      cwd,
      secrets: showSecrets,
      redactor: agentRedactor(isRemote(target) ? {} : target, host),
      access: { files: access, terminals: access },
      command: isRemote(target) ? [shownUrl(target.url)] : [target.command, ...target.args],
      open: agent.open,
    });
    await untilInterrupted(host, inspector.url, options);
  } finally {
    await agent.close();
  }
}

/** Returns the source of the agent's processes for the inspector. The inspector ends each process. */
function localAgent(agent: AgentCommand, cwd: string, host: Host) {
  const ledger = processLedger(host);
  return {
    open: ({ onStderr }: { readonly onStderr: (line: string) => void }) =>
      spawnAgent({
        ...agent,
        cwd,
        onStderr,
        onDetachedProcesses: (processes) => host.stderr.line(`acp-kit inspect: ${detachedText(processes)}`),
        ...(ledger !== undefined && { ledger }),
      }),
    close: async () => {},
  };
}

/** Serves a page with a recording, or with a comparison of two recordings, until this process receives a signal. */
export async function runRecordingInspector(
  files: readonly string[],
  host: Host,
  options: RunInspectorOptions,
): Promise<void> {
  const [first = "", second] = files;
  const { inspectRecording } = await loadInspector(PURPOSE);
  const recording = await readFileOrInput(first, host);
  const other = second === undefined ? {} : { other: await readFileOrInput(second, host) };
  await using inspector = await inspectRecording(recording, { port: options.port, ...other });
  await untilInterrupted(host, inspector.url, options);
}

/**
 * Runs as the agent of another client: forwards every byte, and shows the messages. If a signal ended the agent, the
 * same signal ends this process. Otherwise resolves with the agent's exit code.
 */
export async function runProxyInspector(
  agent: AgentCommand,
  host: Host,
  options: RunInspectorOptions,
): Promise<number> {
  await using inspector = await openProxy(agent, host, options);
  using _page = options.open === true && inspector.url !== undefined ? inBrowser(inspector.url, host) : undefined;
  let running: RecordedProcess | undefined;
  // Called before the agent starts, so that no signal is lost
  const release = passedSignals((signal) => running?.signal(signal));
  running = recordProcess({
    ...recordedCommand(agent, host),
    cwd: options.cwd,
    recorder: inspector.recorder,
    ...ownStreams(),
  });
  const exit = await running.ended;
  release();
  await inspector.close();
  return await endAsAgent(exit, agent.command, "inspect", host);
}

/** The inspector of a proxy. If its page can't be served, a recorder that discards the messages takes its place. */
interface Proxy extends AsyncDisposable {
  readonly recorder: Recorder;
  /** The address of the page; `undefined` without a page. */
  readonly url: string | undefined;
  close(): Promise<void>;
}

/**
 * Opens the inspector of a proxy, and prints the address of its page. A problem with the page must not stop the
 * editor's agent: if the port is taken, the page uses another port; if no page can be served, the proxy runs without a
 * page.
 */
async function openProxy(agent: AgentCommand, host: Host, { port, showSecrets }: RunInspectorOptions): Promise<Proxy> {
  const { inspectProxy } = await loadInspector(PURPOSE);
  const redactor = agentRedactor(agent, host);
  const open = (at: number) => inspectProxy({ port: at, secrets: showSecrets, redactor });
  // Clients show or log the standard error of their agents, so the user finds the address there.
  const print = (text: string): void => host.stderr.line(`acp-kit inspect: ${text}`);
  try {
    const inspector = await open(port).catch((error: unknown) => {
      if (port === 0) throw error;
      print(`port ${port} can't be used (${reasonOf(error)}), so the page has another port`);
      return open(0);
    });
    print(`open ${inspector.url}`);
    return inspector;
  } catch (error) {
    print(`the page is not available (${reasonOf(error)}); the agent runs without it`);
    const unused = recorder({ in: "between", sink: { write() {} } });
    const close = (): Promise<void> => unused.close();
    return { recorder: unused, url: undefined, close, [Symbol.asyncDispose]: close };
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "EADDRINUSE" ? "it is taken" : code === "EACCES" ? "it is not allowed" : String(message);
}

/** Opens the page in a browser. The disposal of the returned object removes the file that leads there. */
function inBrowser(url: string, host: Host): Disposable {
  return openBrowser(url, host.env, (reason) =>
    host.stderr.line(`acp-kit inspect: no browser could be opened (${reason}); open the address yourself`),
  );
}

async function untilInterrupted(host: Host, url: string, { open }: RunInspectorOptions): Promise<void> {
  host.stdout.line(url);
  using _page = (open ?? hasBrowser(host)) ? inBrowser(url, host) : undefined;
  host.stderr.line("acp-kit inspect: open this address in a browser; Ctrl-C ends the inspector and the agent");
  using interrupts = listenForInterrupts(host);
  if (!interrupts.stop.aborted) await once(interrupts.stop, "abort");
  host.exitCode = ExitCode.ok;
}
