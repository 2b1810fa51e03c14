import {
  type AgentDefinition,
  type AgentOptions,
  CapabilityError,
  type ClientConnection,
  createAgent,
  extensionNotification,
  type PromptResult,
  RpcError,
  type Transport,
  type Turn,
} from "@acp-kit/agent";
import type { SessionConfigOption } from "@acp-kit/types";

/** Receives the names of held turns that may continue. */
export const RELEASE = "_test/release";
/** Sends the client the agent's observations: aborted signals and diagnostics. */
export const SAW = "_test/saw";

type Behaviour = (turn: Turn, words: readonly string[], fixture: Fixture) => Promise<PromptResult>;

/** The state that the turns of one connection share. */
interface Fixture {
  saw(what: string): void;
  released(name: string): Promise<void>;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });

const configOptions: SessionConfigOption[] = [
  { id: "model", name: "Model", type: "select", currentValue: "fast", options: [{ value: "fast", name: "Fast" }] },
  { id: "web", name: "Web", type: "boolean", currentValue: true },
];

/** The behaviour of the agent for each prompt, by its first word. */
const behaviours: Readonly<Record<string, Behaviour>> = {
  async say(turn, words) {
    await turn.message(words.join(" "));
  },

  async stream(turn, [count]) {
    for (let n = 0; n < Number(count); n += 1) await turn.message(String(n));
  },

  async flood(turn, [count, bytes]) {
    const filler = "x".repeat(Number(bytes));
    for (let n = 0; n < Number(count) && !turn.signal.aborted; n += 1) await turn.message(`${n} ${filler}`);
  },

  /** Sends every kind of update without awaiting any of them. */
  async forget(turn, [count]) {
    turn.plan([{ content: "Forget", priority: "low", status: "in_progress" }]);
    turn.thought("never mind");
    const call = turn.toolCall({ title: "Forget", kind: "think" });
    call.start();
    for (let n = 0; n < Number(count); n += 1) turn.message(String(n));
    call.complete();
    turn.usage({ used: 1, size: 2 });
    turn.title("Forgotten");
    const late = (): void => void turn.message("late");
    queueMicrotask(late);
    setImmediate(late);
    setTimeout(late, 0);
    void Promise.resolve().then(() => turn.toolCall({ title: "Too late" }).complete());
    return "end_turn";
  },

  async ask(turn, [times = "1"]) {
    const calls = Array.from({ length: Number(times) }, (_, n) => turn.toolCall({ title: `Ask ${n + 1}` }));
    const decisions = await Promise.all(calls.map((call) => call.requestPermission()));
    for (const [n, call] of calls.entries()) {
      if (decisions[n]?.allowed) await call.complete();
      else await call.fail();
    }
    await turn.message(decisions.map(({ option }) => option?.kind ?? "cancelled").join(" "));
  },

  async read(turn, [path = "/work/a.ts"]) {
    const { content } = await turn.client.readTextFile({ path });
    await turn.message(content);
  },

  async write(turn, [path = "/work/a.ts", ...content]) {
    await turn.client.writeTextFile({ path, content: content.join(" ") });
    await turn.message("written");
  },

  async run(turn, words) {
    await using terminal = await turn.client.createTerminal({ command: words.join(" ") });
    const { exitCode } = await terminal.waitForExit();
    await turn.message(`exit ${exitCode}`);
  },

  /** Sends a mix of updates and requests, one letter each. Waits only after all are sent. */
  async mix(turn, [letters = ""]) {
    const pending: unknown[] = [];
    const { client } = turn;
    for (const [n, letter] of [...letters].entries()) {
      const path = `/work/${n}`;
      if (letter === "u") turn.message(String(n));
      else if (letter === "r") pending.push(client.readTextFile({ path }));
      else if (letter === "w") pending.push(client.writeTextFile({ path, content: "" }));
      else if (letter === "t") pending.push(client.createTerminal({ command: path }));
      else pending.push(turn.toolCall({ title: path, toolCallId: path }).requestPermission());
    }
    await Promise.all(pending);
  },

  /** Uses every capability of the client that is not a method. */
  async gated(turn) {
    turn.configOptions(configOptions);
    const attempts = [
      () => turn.notice({ severity: "info", title: "Noticed" }),
      () => turn.compaction({ sessionUpdate: "compaction_update", compactionId: "c", status: "completed" }),
      () => turn.client.elicitForm({ message: "?", requestedSchema: { type: "object", properties: {} } }),
      () => turn.client.elicitUrl({ message: "?", elicitationId: "e", url: "https://example.com" }),
    ];
    for (const attempt of attempts) {
      try {
        await attempt();
      } catch (error) {
        await turn.message(error instanceof CapabilityError ? error.capability : String(error));
      }
    }
  },

  async elicit(turn) {
    const { action } = await turn.client.elicitForm({
      message: "Name?",
      requestedSchema: { type: "object", properties: {} },
    });
    await turn.message(action);
  },

  /** Continues when the client allows it, or when the turn is cancelled. */
  async hold(turn, [name = ""], fixture) {
    await turn.message("holding");
    await Promise.race([fixture.released(name), aborted(turn.signal)]);
    await turn.message(turn.signal.aborted ? "stopped" : "released");
  },

  /** Merges further prompts into the turn until one says stop. */
  async steer(turn) {
    const stopped = new Promise<void>((resolve) => {
      turn.onPrompt(({ prompt }) => {
        const text = prompt.map((block) => ("text" in block ? block.text : "")).join("");
        turn.message(`steered by ${text}`);
        if (text === "stop") resolve();
      });
    });
    await turn.message("steering");
    await stopped;
  },

  /** Stops late, sends a last update, and returns `end_turn`. */
  async wait(turn) {
    turn.toolCall({ title: "Wait", toolCallId: `wait-${turn.sessionId}` });
    await turn.message("waiting");
    await aborted(turn.signal);
    await turn.message("stopped");
    return "end_turn";
  },

  async abort(turn) {
    await turn.message("waiting");
    await aborted(turn.signal);
    throw turn.signal.reason;
  },

  async ignore(turn) {
    await turn.message("waiting");
    await new Promise(() => {});
  },

  async throw() {
    throw new DOMException("The model's stream was aborted", "AbortError");
  },

  async fail() {
    throw new Error("ENOENT: /home/me/.config/token=hunter2");
  },

  async refuse(_turn, [code]) {
    throw new RpcError(Number(code), "The model is on holiday", { data: { until: "Monday" } });
  },

  stop: async (_turn, [reason]) => reason as PromptResult,

  async unserializable() {
    return { stopReason: "end_turn", _meta: { size: 1n } };
  },
};

/** Creates an agent with every handler. The first word of a prompt determines its behaviour. */
export function startFixtureAgent(transport: Transport, options: AgentOptions = {}): ClientConnection {
  const held = new Map<string, () => void>();
  const fixture: Fixture = {
    saw: (what) => void connection.peer.extensionNotify(SAW, { what }),
    released: (name) => new Promise((resolve) => held.set(name, resolve)),
  };
  const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;
  let sessions = 0;
  const definition: AgentDefinition = {
    info: { name: "fixture", version: "1.0.0" },
    promptContent: { image: true, audio: true, embeddedContext: true },
    mcpTransports: { http: true, sse: true },
    additionalDirectories: true,
    authMethods: [
      { id: "token", name: "Token" },
      { type: "terminal", id: "tui", name: "Log in here", args: ["login"] },
    ],
    newSession(_params, context) {
      sessions += 1;
      const sessionId = `session-${sessions}`;
      const session = context.session(sessionId);
      session.commands([{ name: "help", description: "Helps" }]); // Before the client can know the session.
      session.title("Fresh");
      return {
        sessionId,
        configOptions,
        modes: {
          currentModeId: "ask",
          availableModes: [
            { id: "ask", name: "Ask" },
            { id: "code", name: "Code" },
          ],
        },
      };
    },
    async prompt(turn) {
      const [word = "", ...words] = turn.text.split(" ");
      turn.signal.addEventListener("abort", () => fixture.saw(`abort ${turn.text}`), { once: true });
      const behaviour = behaviours[word];
      if (behaviour === undefined) throw new RpcError(-32602, `No behaviour: ${word}`);
      return behaviour(turn, words, fixture);
    },
    loadSession({ sessionId }, context) {
      const session = context.session(sessionId);
      session.userMessage("hello");
      session.message("good day");
      session.toolCall({ title: "Remember", status: "completed" });
      return { configOptions };
    },
    resumeSession: () => ({ configOptions }),
    closeSession: ({ sessionId }) => fixture.saw(`closed ${sessionId}`),
    deleteSession() {},
    listSessions({ cursor }) {
      const page = Number(cursor ?? 1);
      const sessions = [{ sessionId: `saved-${page}`, cwd: "/work" }];
      return page < 3 ? { sessions, nextCursor: String(page + 1) } : { sessions };
    },
    setSessionMode() {},
    setSessionConfigOption: () => ({ configOptions }),
    authenticate() {},
    logout() {},
    extensions: {
      [RELEASE]: extensionNotification(anything, (params) => {
        const { name } = params as { name: string };
        held.get(name)?.();
        held.delete(name);
      }),
    },
  };
  const connection = createAgent(definition, {
    ...options,
    onDiagnostic: (diagnostic) => {
      options.onDiagnostic?.(diagnostic);
      fixture.saw(`diagnostic ${diagnostic.code}`);
    },
  }).connect(transport);
  return connection;
}
