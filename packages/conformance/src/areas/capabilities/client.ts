import { type ClientCheck, callWatch, clientScenario, clientWatch } from "../../client/checks.js";
import { clientHas } from "../../client/client-facts.js";
import { type Call, callOf } from "../../client/wire-event.js";
import type { WireState } from "../../client/wire-state.js";
import { isError, isNotError, isRefusalWith } from "../../response-matchers.js";
import type { Watch } from "../../scenario.js";
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

/** The use of a feature that needs a capability. */
interface Use {
  /** The use, as the end of the sentence "the client does not …". */
  readonly act: string;
  uses(call: Call): boolean;
  /** Returns whether a call could have used the feature; only such calls count as checked. */
  couldUse(call: Call): boolean;
  /**
   * Why the watch is skipped, and not passed, for a client that never uses the feature, not even with an agent that
   * advertises it. Such a client does not show that it checks the capability.
   */
  readonly unlessUsed?: string;
}

const hasItem = (call: Call, name: string, type: string): boolean =>
  itemsOf(member(call.params, name)).some((each) => member(each, "type") === type);

const passing = (type: string): Use => ({
  act: `pass MCP servers over ${type}`,
  uses: (call) => opensSession(call) && hasItem(call, "mcpServers", type),
  couldUse: opensSession,
});

const prompting = (type: string, act: string): Use => ({
  act: `${act} a prompt`,
  uses: (call) => call.method === "session/prompt" && hasItem(call, "prompt", type),
  couldUse: (call) => call.method === "session/prompt",
});

const sessionOf = (call: Call, state: WireState): ReturnType<WireState["sessions"]["get"]> =>
  state.sessions.get(asText(member(call.params, "sessionId")));

/** The checks of clients: capabilities. */
export const capabilitiesClientChecks: readonly ClientCheck[] = [
  clientScenario("messages/advertised", ["INIT-16"], {
    title: "Every method that the client advertises exists",
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
  clientScenario("messages/not-advertised", ["CAP-22"], {
    title: "A method whose capability the client doesn't advertise is refused with -32601",
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
  clientScenario("messages/elicitation-not-advertised", ["CAP-22"], {
    title: "A client without elicitation refuses an elicitation",
    async run(context) {
      for (const path of ["elicitation.form", "elicitation.url"]) {
        if (clientHas(context.facts, path)) context.skip(`The client advertises \`clientCapabilities.${path}\`.`);
      }
      const params = { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } };
      const response = await (await context.turn()).request("elicitation/create", params);
      context.expect("CAP-22", response, isRefusalWith(-32601), `\`elicitation/create\` with ${shown(params)}`);
    },
  }),
  methodGate("session-load", ["CAP-01", "SESS-12"], "loadSession", "session/load"),
  methodGate("session-list", ["CAP-02", "LIST-01"], "sessionCapabilities.list", "session/list"),
  methodGate("session-delete", ["CAP-03", "DEL-01"], "sessionCapabilities.delete", "session/delete"),
  methodGate("session-resume", ["CAP-04", "SESS-21"], "sessionCapabilities.resume", "session/resume"),
  methodGate("session-close", ["CAP-05", "SESS-26"], "sessionCapabilities.close", "session/close"),
  methodGate("logout", ["CAP-06", "AUTH-16"], "auth.logout", "logout"),
  gate("additional-directories", ["CAP-07", "DIR-01"], "sessionCapabilities.additionalDirectories", {
    act: "send `additionalDirectories`",
    // An empty list means the same as no list, but the RFD restricts the member itself.
    uses: (call) => opensSession(call) && member(call.params, "additionalDirectories") !== undefined,
    couldUse: opensSession,
  }),
  gate("mcp-http", ["CAP-08", "MCP-03"], "mcpCapabilities.http", passing("http")),
  gate("mcp-sse", ["CAP-09", "MCP-03"], "mcpCapabilities.sse", passing("sse")),
  gate("prompt-image", ["CAP-10", "PROMPT-03"], "promptCapabilities.image", prompting("image", "put images into")),
  gate("prompt-audio", ["CAP-11", "PROMPT-03"], "promptCapabilities.audio", prompting("audio", "put audio into")),
  gate(
    "prompt-resource",
    ["CAP-12", "PROMPT-03"],
    "promptCapabilities.embeddedContext",
    prompting("resource", "embed resources in"),
  ),
  sessionGate("modes", "session/set_mode", "modes"),
  sessionGate("config-options", "session/set_config_option", "configOptions"),
];

function methodGate(name: string, rules: readonly string[], capability: string, method: string): Watch {
  return gate(name, rules, capability, {
    act: `call \`${method}\``,
    uses: (call) => call.method === method,
    couldUse: (call) => call.method === "session/new" || call.method === "session/prompt",
    unlessUsed: `the client never calls ${method}, not even if the agent advertises it`,
  });
}

/** Creates a watch for uses of a feature of the agent. `capability` is the path inside `agentCapabilities`. */
function gate(name: string, rules: readonly string[], capability: string, use: Use): Watch {
  const { act, uses, couldUse, unlessUsed } = use;
  return clientWatch(`gates/${name}`, [...rules, "INIT-12"], {
    title: `Without \`agentCapabilities.${capability}\` the client does not ${act}`,
    ...(unlessUsed !== undefined && { unlessUsed }),
    uses(event) {
      const call = callOf(event);
      return call !== undefined && uses(call);
    },
    judge(event, state) {
      const call = callOf(event);
      if (!call || !state.initialized || state.advertised(capability)) return undefined;
      if (!uses(call)) return couldUse(call) ? "fine" : undefined;
      return {
        sent: `\`agentCapabilities\` ${shown(state.initialized.agentCapabilities)}`,
        received: shown(call),
        explanation: `\`${capability}\` is not advertised.`,
      };
    },
  });
}

function sessionGate(name: string, called: string, member: "modes" | "configOptions"): Watch {
  return callWatch(`gates/${name}`, ["CAP-23"], {
    title: `The client calls \`${called}\` only in sessions with \`${member}\``,
    judge(call, state) {
      const session = sessionOf(call, state);
      if (!session || session[member] !== undefined) return undefined;
      if (call.method !== called) return call.method === "session/prompt" || undefined;
      return {
        sent: `A session without \`${member}\``,
        explanation: "A client sets a mode or an option only in a session that offers modes or options.",
      };
    },
  });
}
