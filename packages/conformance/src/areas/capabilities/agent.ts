import type { Incoming } from "../../agent/agent-messages.js";
import { type AgentCheck, type AgentScenario, agentScenario, agentWatch } from "../../agent/agent-scenario.js";
import { offers } from "../../agent/capability-needs.js";
import type { PromptPurpose } from "../../agent/prompt-purposes.js";
import { fileInCwd } from "../../agent/test-files.js";
import { isError, isNotError } from "../../response-matchers.js";
import type { Watch } from "../../scenario.js";
import type { Conversation, ConversationMessage } from "../../wire/conversation.js";
import { asText, isObject, type Json, member, objectsIn, shown } from "../../wire/values.js";

/** Optional methods, each with the capability that it requires and with well-formed params. */
const gated = (cwd: string): readonly (readonly [method: string, capability: string, params: object])[] => [
  ["session/load", "loadSession", { sessionId: "x", cwd, mcpServers: [] }],
  ["session/list", "sessionCapabilities.list", {}],
  ["session/delete", "sessionCapabilities.delete", { sessionId: "no-such-session" }],
  ["session/resume", "sessionCapabilities.resume", { sessionId: "x", cwd, mcpServers: [] }],
  ["session/close", "sessionCapabilities.close", { sessionId: "no-such-session" }],
  ["logout", "auth.logout", {}],
];

/** Purposes of prompts that make an agent use optional features of the client. */
const tempting: readonly PromptPurpose[] = [
  "read",
  "write",
  "edit",
  "terminal",
  "form",
  "url",
  "notice",
  "compaction",
  "config",
];

/** The capabilities of the client that requests need, each with the rule that says so. */
const gates = {
  reading: ["fs.readTextFile", "CAP-13"],
  writing: ["fs.writeTextFile", "CAP-14"],
  terminals: ["terminal", "CAP-15"],
  forms: ["elicitation.form", "CAP-16"],
  urls: ["elicitation.url", "CAP-17"],
} as const;

const calls =
  (...methods: readonly string[]) =>
  ({ kind, method }: ConversationMessage): boolean =>
    kind === "request" && methods.includes(method ?? "");

const updates =
  (...tags: readonly string[]) =>
  ({ params }: ConversationMessage): boolean =>
    tags.includes(asText(member(params, "update", "sessionUpdate")));

const elicits =
  (mode: string) =>
  ({ method, params }: ConversationMessage): boolean =>
    method === "elicitation/create" && member(params, "mode") === mode;

// Only requests count. Tool call content with a terminal that the agent never created is no request; TOOL-13 covers it.
const terminalCalls = calls(
  ...["create", "output", "wait_for_exit", "kill", "release"].map((name) => `terminal/${name}`),
);

const booleanOptions = ({ message, params }: ConversationMessage): boolean =>
  [member(message, "result", "configOptions"), member(params, "update", "configOptions")].some((options) =>
    objectsIn(options).some(({ type }) => type === "boolean"),
  );

const terminalLogins = ({ message }: ConversationMessage): boolean =>
  objectsIn(member(message, "result", "authMethods")).some(({ type }) => type === "terminal");

/** The checks of agents: capabilities. */
export const capabilitiesAgentChecks: readonly AgentCheck[] = [
  agentScenario("capabilities/advertised-methods", ["INIT-17"], {
    title: "Every method that the agent advertises exists",
    async run(context) {
      const agent = await context.ready();
      const advertised = gated(context.files.cwd).filter(([, path]) => offers(agent, ...path.split(".")));
      if (advertised.length === 0) context.skip("the agent advertises no optional method");
      for (const [method, path, params] of advertised) {
        const response = await agent.peer.request(method, params);
        context.expect("INIT-17", response, isNotError(-32601), {
          sent: `${method}, for which agentCapabilities.${path} is advertised`,
          explanation: "A request for a method whose capability is advertised does not get the error -32601.",
        });
      }
    },
  }),
  agentScenario("capabilities/other-methods", ["CAP-22"], {
    title: "A method that the agent doesn't advertise gets the error -32601",
    async run(context) {
      const agent = await context.ready();
      const others = gated(context.files.cwd).filter(([, path]) => !offers(agent, ...path.split(".")));
      if (others.length === 0) context.skip("the agent advertises every method");
      for (const [method, path, params] of others) {
        const response = await agent.peer.request(method, params);
        context.expect("CAP-22", response, isError(-32601), `${method}, without agentCapabilities.${path}`);
      }
    },
  }),
  partialClient("nothing", ["INIT-12"], {}),
  // Agents often misread these forms.
  partialClient("empty groups", ["INIT-14", "INIT-13"], {
    fs: {},
    session: { configOptions: {} },
    elicitation: { form: null, url: null },
    auth: {},
  }),
  partialClient("writing and pages", ["INIT-12"], {
    fs: { readTextFile: false, writeTextFile: true },
    elicitation: { url: {} },
  }),
  partialClient("reading and forms", ["INIT-12"], { fs: { readTextFile: true }, elicitation: { form: {} } }),
  gateWatch(
    "read-files",
    ["CAP-13", "FS-01", "FS-02"],
    "fs.readTextFile",
    "fs/read_text_file",
    calls("fs/read_text_file"),
  ),
  gateWatch(
    "write-files",
    ["CAP-14", "FS-01", "FS-02"],
    "fs.writeTextFile",
    "fs/write_text_file",
    calls("fs/write_text_file"),
  ),
  gateWatch("terminals", ["CAP-15", "TERM-01"], "terminal", "terminals", terminalCalls),
  gateWatch("forms", ["CAP-16", "ELICIT-01"], "elicitation.form", "elicitations in form mode", elicits("form")),
  gateWatch("urls", ["CAP-17", "ELICIT-01"], "elicitation.url", "elicitations in url mode", elicits("url")),
  gateWatch(
    "boolean-options",
    ["CAP-18", "CFG-12"],
    "session.configOptions.boolean",
    "config options of the type boolean",
    booleanOptions,
  ),
  gateWatch(
    "terminal-logins",
    ["CAP-19", "AUTH-03"],
    "auth.terminal",
    "login methods of the type terminal",
    terminalLogins,
  ),
  gateWatch("notices", ["CAP-20", "NOTICE-01"], "session.notices", "notices", updates("notice")),
  gateWatch(
    "compaction",
    ["CAP-21", "COMPACT-01"],
    "session.compaction",
    "updates about compaction",
    updates("compaction_update", "compaction_summary_chunk"),
  ),
];

/**
 * Creates a scenario with a client that advertises only some capabilities. If the agent uses a feature without its
 * capability, the watches watch/capabilities/… report it too, under the capability's rule.
 */
function partialClient(what: string, verifies: readonly string[], capabilities: Json): AgentScenario {
  const rules = Object.values(gates).map(([, rule]) => rule);
  return agentScenario(`capabilities/client-with-${what.replaceAll(" ", "-")}`, [...verifies, ...rules], {
    title: `With a client that advertises ${what}, the agent uses no feature that needs another capability`,
    needs: ["prompt: read, write, terminal, form, url, notice, compaction"],
    async run(context) {
      const session = await context.openSession({}, capabilities);
      const purposes = tempting.filter((purpose) => context.options.prompts[purpose] !== undefined);
      if (purposes.length === 0) context.skip("no prompt is known that makes the agent use such a feature");
      const path = await fileInCwd(context.files, "tempting.txt", "tempting\n");
      for (const purpose of purposes) {
        await context.endOf(session, context.prompt(session, context.text(purpose, { path })));
      }
      for (const message of session.peer.incoming) {
        const [capability, rule] = gateFor(message) ?? [];
        if (capability === undefined || isAdvertised(capabilities, capability)) continue;
        context.fail(rule, {
          sent: `initialize with clientCapabilities ${shown(capabilities)}, and then prompts`,
          received: `${message.method} ${shown(message.params)}`,
          explanation:
            "The agent uses no feature that the client did not advertise. A group such as fs: {} advertises no feature, and null means absent.",
          where: session.peer.at(message.seq),
        });
      }
    },
  });
}

/** Creates a watch for uses of a feature of the client. A finding cites the first of the rules. */
function gateWatch(
  id: string,
  verifies: readonly [string, ...string[]],
  capability: string,
  what: string,
  uses: (one: ConversationMessage) => boolean,
): Watch {
  return agentWatch(`watch/capabilities/${id}`, verifies, {
    title: `Without clientCapabilities.${capability} the agent sends no ${what}`,
    check(conversation, { countEntry, wrong }) {
      const capabilities = advertised(conversation);
      if (capabilities === undefined || isAdvertised(capabilities, capability)) return;
      // The watch counts only conversations in which the agent could use the feature.
      if (id === "terminal-logins" || conversation.spoken.some(({ method }) => method === "session/prompt"))
        countEntry();
      for (const one of conversation.spoken) {
        if (one.from !== "agent" || !uses(one)) continue;
        const text = "The agent uses no feature that the client did not advertise in initialize.";
        const sent = `initialize with clientCapabilities ${shown(capabilities)}`;
        wrong(verifies[0], [one.seq], shown(one.message), text, { sent });
      }
    },
  });
}

function gateFor({ kind, method, params }: Incoming): (typeof gates)[keyof typeof gates] | undefined {
  if (kind !== "request" || method === undefined) return undefined;
  if (method === "fs/read_text_file") return gates.reading;
  if (method === "fs/write_text_file") return gates.writing;
  if (method.startsWith("terminal/")) return gates.terminals;
  if (method !== "elicitation/create") return undefined;
  return member(params, "mode") === "url" ? gates.urls : gates.forms;
}

function isAdvertised(capabilities: unknown, capability: string): boolean {
  const value = member(capabilities, ...capability.split("."));
  return value === true || isObject(value);
}

/** Returns the capabilities that the client advertised on this connection; `undefined` before `initialize`. */
function advertised({ spoken }: Conversation): unknown {
  const initialize = spoken.find(({ from, method }) => from === "client" && method === "initialize");
  return initialize && (member(initialize.params, "clientCapabilities") ?? {});
}
