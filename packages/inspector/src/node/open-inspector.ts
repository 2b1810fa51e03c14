import { randomBytes } from "node:crypto";
import { checkOptions, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import {
  type Recorder,
  type RecorderOptions,
  type Recording,
  type RecordingEntry,
  readRecording,
  recorder,
} from "@acp-kit/testing/recording";
import { inspectorHtml } from "./export/inspector-html.js";
import { inspectorVersion } from "./inspector-version.js";
import { LiveMarks } from "./marks/live-marks.js";
import { PageConnection, type PageHost } from "./page/page-connection.js";
import { PageServer } from "./page/page-server.js";
import type { AccessSetting, PageCommand, ServerState } from "./page/protocol.js";
import { LiveAgent, type OpenAgent } from "./wire/live-agent.js";
import { LocalAccess } from "./wire/local-access.js";
import { WireLog } from "./wire/wire-log.js";

/** Options of all inspectors. */
export interface InspectorOptions {
  /** The port of the page, on 127.0.0.1. The default, 0, means any free port. */
  readonly port?: number;
  /** The title of the page; by default the names of the client and the agent. */
  readonly title?: string;
}

/** Options of {@link inspectAgent} and {@link inspectProxy}, for the recording that the page shows. */
export interface LiveInspectorOptions
  extends InspectorOptions,
    Pick<RecorderOptions, "secrets" | "maxRecordingBytes" | "redactor"> {}

/** Options of {@link inspectAgent}. */
export interface InspectAgentOptions extends LiveInspectorOptions {
  /** Starts the agent or connects to it. The inspector calls this function again for each restart. */
  readonly open: OpenAgent;
  /** The command that starts the agent, for display. */
  readonly command?: readonly string[];
  /** The working directory that the page proposes for new sessions. The default is that of this process. */
  readonly cwd?: string;
  /** How requests for files and terminals are handled, until the user changes it. The default is `real`. */
  readonly access?: Partial<AccessSetting>;
}

const kinds: OptionKinds<InspectorOptions> = { port: "value", title: "value" };
const liveKinds: OptionKinds<LiveInspectorOptions> = {
  ...kinds,
  secrets: "value",
  maxRecordingBytes: "value",
  redactor: "value",
};
const agentKinds: OptionKinds<Omit<InspectAgentOptions, keyof LiveInspectorOptions>> = {
  open: "function!",
  command: "value",
  cwd: "value",
  access: "value",
};

/** An inspector that serves its page. */
export interface Inspector extends AsyncDisposable {
  /** The URL of the page. Its fragment is a secret: every program that knows the secret can control the agent. */
  readonly url: string;
  /** The recording so far, as the content of a file. */
  recording(): string;
  /** Closes the page's server and ends the agent. A second call has no effect, and the promise never rejects. */
  close(): Promise<void>;
}

/** The inspector of a connection between two other programs. */
export interface ProxyInspector extends Inspector {
  /** Pass the messages of the connection to it, for example with `recordProcess` of `@acp-kit/testing/node`. */
  readonly recorder: Recorder;
}

const allCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
  elicitation: { form: {}, url: {} },
};

/** The params of the first `initialize`. They advertise every capability that the page supports. */
export const inspectorInitialize: object = {
  protocolVersion: 1,
  clientInfo: { name: "acp-kit-inspector", title: "acp-kit inspector", version: inspectorVersion() },
  clientCapabilities: allCapabilities,
};

/**
 * Starts an agent and opens its inspector: a web page on loopback with the conversation, the messages and every control
 * of a client. The user can reload the page at any time, even during a turn, because this process has the connection to
 * the agent.
 *
 * @throws {Error} when the port is taken.
 */
export async function inspectAgent(options: InspectAgentOptions): Promise<Inspector> {
  checkOptions("inspectAgent", options, { ...liveKinds, ...agentKinds });
  const { open, command, cwd = process.cwd(), access } = options;
  const local = new LocalAccess({ files: "real", terminals: "real", ...access });
  const live = new LiveView(options);
  const agent = new LiveAgent({
    open,
    recorder: live.recorder,
    access: local,
    ...(command && { command }),
    onChange: () => live.stateChanged(),
  });
  const start = async (initialize: unknown): Promise<void> => {
    await agent.start();
    if (agent.status.is === "running") agent.request({ method: "initialize", params: initialize });
  };
  const inspector = await live.serve({
    state: () => ({ mode: "agent", cwd, status: agent.status, access: local.setting, initialize: inspectorInitialize }),
    run: (command) => {
      switch (command.do) {
        case "request":
          agent.request(command);
          break;
        case "send":
          agent.send(command.message);
          break;
        case "access":
          local.setting = command.setting;
          live.stateChanged();
          break;
        case "restart":
          void start(command.initialize ?? inspectorInitialize);
          break;
        case "stop":
          void agent.close();
          break;
      }
    },
    close: () => agent.close(),
  });
  await start(inspectorInitialize);
  return inspector;
}

/**
 * Opens the inspector of a connection between another client and its agent. Pass `recorder` to the code that forwards
 * the messages. The page shows the messages and can't send any.
 *
 * @throws {Error} when the port is taken.
 */
export async function inspectProxy(options: LiveInspectorOptions = {}): Promise<ProxyInspector> {
  checkOptions("inspectProxy", options, liveKinds);
  const live = new LiveView(options);
  const inspector = await live.serve({ state: () => ({ mode: "proxy" }), run: () => {}, close: async () => {} });
  return Object.assign(inspector, { recorder: live.recorder });
}

/**
 * Opens a recording in the inspector; with two recordings, the page compares them.
 *
 * @throws {Error} when the port is taken.
 */
export async function inspectRecording(
  recording: Recording,
  options: InspectorOptions & { readonly other?: Recording } = {},
): Promise<Inspector> {
  checkOptions("inspectRecording", options, { ...kinds, other: "value" });
  const { other, ...rest } = options;
  const log = new WireLog();
  const marks = new LiveMarks(() => {});
  log.write(`${JSON.stringify(recording.header)}\n`);
  for (const entry of recording.entries) {
    log.write(`${JSON.stringify(entry)}\n`);
    marks.add(entry);
  }
  marks.checkRules();
  const state: ServerState = { mode: "recording", problems: recording.problems.length, ...(other && { other }) };
  return serve(log, marks, rest, { state: () => state, run: () => {}, close: async () => {} }, new Set());
}

/** What differs between the kinds of inspectors: the state for the page, its commands, and the agent's end. */
interface InspectorParts {
  readonly state: () => ServerState;
  readonly run: (command: PageCommand) => void;
  readonly close: () => Promise<void>;
}

class LiveView {
  readonly recorder: Recorder;
  readonly #options: LiveInspectorOptions;
  readonly #log = new WireLog();
  readonly #pages = new Set<PageConnection>();
  readonly #marks = new LiveMarks(() => this.#marksChanged());
  #marksTimer: NodeJS.Timeout | undefined;

  constructor(options: LiveInspectorOptions) {
    this.#options = options;
    const sink = {
      write: (line: string) => {
        const isEntry = this.#log.header !== "";
        this.#log.write(line);
        if (isEntry) this.#marks.add(JSON.parse(line) as RecordingEntry);
      },
    };
    const { secrets, maxRecordingBytes, redactor } = options;
    this.recorder = recorder({
      in: "between",
      sink,
      recorder: { name: "acp-kit-inspector", version: inspectorVersion() },
      ...(secrets !== undefined && { secrets }),
      ...(maxRecordingBytes !== undefined && { maxRecordingBytes }),
      ...(redactor !== undefined && { redactor }),
    });
  }

  stateChanged(): void {
    for (const page of this.#pages) page.sendState();
  }

  serve(parts: InspectorParts): Promise<Inspector> {
    const close = async (): Promise<void> => {
      await parts.close();
      clearTimeout(this.#marksTimer);
      this.#marks.close();
      await this.recorder.close();
    };
    return serve(this.#log, this.#marks, this.#options, { ...parts, close }, this.#pages);
  }

  /** Sends the marks to all pages, at most every 100 ms. */
  #marksChanged(): void {
    this.#marksTimer ??= setTimeout(() => {
      this.#marksTimer = undefined;
      for (const page of this.#pages) page.sendMarks();
    }, 100);
  }
}

async function serve(
  log: WireLog,
  marks: LiveMarks,
  { port = 0, title }: InspectorOptions,
  parts: InspectorParts,
  pages: Set<PageConnection>,
): Promise<Inspector> {
  const host: PageHost = {
    log,
    marks,
    state: () => ({ ...(title !== undefined && { title }), ...parts.state() }),
    run: (command, reply) => {
      if (command.do === "check")
        reply({ is: "checked", number: command.number, faults: marks.check(command.message) });
      else parts.run(command);
    },
  };
  const server = new PageServer({
    token: randomBytes(24).toString("base64url"),
    port,
    html: () => inspectorHtml(readRecording(log.text()), title === undefined ? {} : { title }),
    onPage: (socket) => {
      const page = new PageConnection(socket, host);
      pages.add(page);
      socket.on("close", () => pages.delete(page));
    },
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await parts.close();
      await server.close();
    })();
    return closing;
  };
  const url = await server.listen().catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { url, recording: () => log.text(), close, [Symbol.asyncDispose]: close };
}
