import { type ClientCheck, clientScenario, clientWatch } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { clientHas } from "../../client/client-facts.js";
import { refuses } from "../../client/refuses.js";
import type { WireRule } from "../../client/watch-dialogue.js";
import { type Call, callOf } from "../../client/wire-event.js";
import type { WireState } from "../../client/wire-state.js";
import { isError, isNotError } from "../../response-matchers.js";
import { asText, itemsOf, type Json, member, shown } from "../../wire/values.js";

/** The capability that each method needs, and the params of the request. */
const gated: readonly (readonly [path: string, method: string, params: Json])[] = [
  ["fs.readTextFile", "fs/read_text_file", { path: "/a" }],
  ["fs.writeTextFile", "fs/write_text_file", { path: "/nowhere/a", content: "" }],
  ["terminal", "terminal/create", { command: "true" }],
  ["terminal", "terminal/output", { terminalId: "t" }],
  ["terminal", "terminal/wait_for_exit", { terminalId: "t" }],
  ["terminal", "terminal/kill", { terminalId: "t" }],
  ["terminal", "terminal/release", { terminalId: "t" }],
];

const opensSession = (call: Call): boolean => /^session\/(new|load|resume)$/.test(call.method);

interface Gate {
  readonly id: string;
  readonly title: string;
  readonly verifies: readonly string[];
  /** The path inside `agentCapabilities`. */
  readonly capability: string;
  /** Returns whether a call uses the feature of the capability. */
  uses(call: Call): boolean;
  /** Returns whether a call could have used the feature; only such calls count as checked. */
  couldUse(call: Call): boolean;
  /**
   * Why the watch is skipped, and not passed, for a client that never uses the feature, not even with an agent that
   * advertises it. Such a client does not show that it checks the capability.
   */
  readonly unlessUsed?: string;
}

const method = (name: string): Pick<Gate, "uses" | "couldUse" | "unlessUsed"> => ({
  uses: (call) => call.method === name,
  couldUse: (call) => call.method === "session/new" || call.method === "session/prompt",
  unlessUsed: `the client never calls ${name}, not even if the agent advertises it`,
});

const server = (type: string): Pick<Gate, "uses" | "couldUse"> => ({
  uses: (call) =>
    opensSession(call) && itemsOf(member(call.params, "mcpServers")).some((each) => member(each, "type") === type),
  couldUse: opensSession,
});

const block = (type: string): Pick<Gate, "uses" | "couldUse"> => ({
  uses: (call) =>
    call.method === "session/prompt" &&
    itemsOf(member(call.params, "prompt")).some((each) => member(each, "type") === type),
  couldUse: (call) => call.method === "session/prompt",
});

const gates: readonly Gate[] = [
  gate("session-load", "CAP-01", "SESS-12", "loadSession", "call `session/load`", method("session/load")),
  gate("session-list", "CAP-02", "LIST-01", "sessionCapabilities.list", "call `session/list`", method("session/list")),
  gate(
    "session-delete",
    "CAP-03",
    "DEL-01",
    "sessionCapabilities.delete",
    "call `session/delete`",
    method("session/delete"),
  ),
  gate(
    "session-resume",
    "CAP-04",
    "SESS-21",
    "sessionCapabilities.resume",
    "call `session/resume`",
    method("session/resume"),
  ),
  gate(
    "session-close",
    "CAP-05",
    "SESS-26",
    "sessionCapabilities.close",
    "call `session/close`",
    method("session/close"),
  ),
  gate("logout", "CAP-06", "AUTH-16", "auth.logout", "call `logout`", method("logout")),
  gate(
    "additional-directories",
    "CAP-07",
    "DIR-01",
    "sessionCapabilities.additionalDirectories",
    "send `additionalDirectories`",
    {
      // An empty list means the same as no list, but the RFD restricts the member itself.
      uses: (call) => opensSession(call) && member(call.params, "additionalDirectories") !== undefined,
      couldUse: opensSession,
    },
  ),
  gate("mcp-http", "CAP-08", "MCP-03", "mcpCapabilities.http", "pass MCP servers over http", server("http")),
  gate("mcp-sse", "CAP-09", "MCP-03", "mcpCapabilities.sse", "pass MCP servers over sse", server("sse")),
  gate("prompt-image", "CAP-10", "PROMPT-03", "promptCapabilities.image", "put images into a prompt", block("image")),
  gate("prompt-audio", "CAP-11", "PROMPT-03", "promptCapabilities.audio", "put audio into a prompt", block("audio")),
  gate(
    "prompt-resource",
    "CAP-12",
    "PROMPT-03",
    "promptCapabilities.embeddedContext",
    "embed resources in a prompt",
    block("resource"),
  ),
];

const sessionOf = (call: Call, state: WireState): ReturnType<WireState["sessions"]["get"]> =>
  state.sessions.get(asText(member(call.params, "sessionId")));

/** The checks of clients: capabilities. */
export const capabilitiesClientChecks: readonly ClientCheck[] = [
  clientScenario({
    id: "messages/advertised",
    title: "Every method that the client advertises exists",
    verifies: ["INIT-16"],
    run: async (context) => {
      const open = gated.filter(([path]) => clientHas(context.facts, path));
      if (open.length === 0) context.skip("The client advertises no method.");
      const turn = await context.turn();
      for (const [path, method] of open) {
        const response = await turn.request(method, {});
        context.expect("INIT-16", response, isNotError(-32601), {
          sent: `\`${method}\`, which belongs to \`${path}\``,
          explanation:
            "A request for an advertised method does not get the error -32601, even if its params are empty.",
        });
      }
    },
  }),
  clientScenario({
    id: "messages/not-advertised",
    title: "A method whose capability the client doesn't advertise is refused with -32601",
    verifies: ["CAP-22"],
    run: async (context) => {
      const closed = gated.filter(([path]) => !clientHas(context.facts, path));
      if (closed.length === 0) context.skip("The client advertises every method.");
      const turn = await context.turn();
      for (const [path, method, params] of closed) {
        const response = await turn.request(method, params);
        context.expect("CAP-22", response, isError(-32601), { sent: `\`${method}\`, which needs \`${path}\`` });
      }
    },
  }),
  refuses(
    "messages/elicitation-not-advertised",
    "A client without elicitation refuses an elicitation",
    ["CAP-22"],
    "elicitation/create",
    { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
    -32601,
    (context) => {
      unlessAdvertised("elicitation.form")(context);
      unlessAdvertised("elicitation.url")(context);
    },
  ),
  ...gates
    .map(
      (each): WireRule => ({
        id: each.id,
        title: each.title,
        verifies: each.verifies,
        ...(each.unlessUsed !== undefined && { unlessUsed: each.unlessUsed }),
        uses: (event) => {
          const call = callOf(event);
          return call !== undefined && each.uses(call);
        },
        judge: (event, state) => {
          const call = callOf(event);
          if (!call || !state.initialized || state.advertised(each.capability)) return undefined;
          if (!each.uses(call)) return each.couldUse(call) ? "fine" : undefined;
          return {
            sent: `\`agentCapabilities\` ${shown(state.initialized.agentCapabilities)}`,
            received: shown(call),
            explanation: `\`${each.capability}\` is not advertised.`,
          };
        },
      }),
    )
    .map(clientWatch),
  clientWatch(sessionGate("modes", "session/set_mode", "modes")),
  clientWatch(sessionGate("config-options", "session/set_config_option", "configOptions")),
];

function unlessAdvertised(path: string): (context: ClientScenarioContext) => void {
  return (context) => {
    if (clientHas(context.facts, path)) context.skip(`The client advertises \`clientCapabilities.${path}\`.`);
  };
}

function gate(
  name: string,
  first: string,
  second: string,
  capability: string,
  act: string,
  use: Pick<Gate, "uses" | "couldUse" | "unlessUsed">,
): Gate {
  const title = `Without \`agentCapabilities.${capability}\` the client does not ${act}`;
  return { id: `gates/${name}`, title, verifies: [first, second, "INIT-12"], capability, ...use };
}

function sessionGate(name: string, called: string, member: "modes" | "configOptions"): WireRule {
  return {
    id: `gates/${name}`,
    title: `The client calls \`${called}\` only in sessions with \`${member}\``,
    verifies: ["CAP-23"],
    judge: (event, state) => {
      const call = callOf(event);
      if (!call) return undefined;
      const session = sessionOf(call, state);
      if (!session || session[member] !== undefined) return undefined;
      if (call.method !== called) return call.method === "session/prompt" ? "fine" : undefined;
      return {
        sent: `A session without \`${member}\``,
        received: shown(call),
        explanation: "A client sets a mode or an option only in a session that offers modes or options.",
      };
    },
  };
}
