import { type ClientCheck, callWatch, clientScenario, clientWatch } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import { type RuleAt, schemaWatch } from "../../client/schema-watch.js";
import { type Call, callOf } from "../../client/wire-event.js";
import { info, works } from "../../client/works-with.js";
import type { Scenario } from "../../scenario.js";
import { isObject, member, shown, textOf } from "../../wire/values.js";

const ofVersion: RuleAt = ([name]) => (name === "protocolVersion" ? "INIT-11" : undefined);

/** The checks of clients: initialize. */
export const initializeClientChecks: readonly ClientCheck[] = [
  clientScenario("opening/waits-for-initialize", ["INIT-01"], {
    title: "The client waits for the response to `initialize`",
    run: async (context) => {
      let release: () => void = () => {};
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      const initialize = async (): Promise<unknown> => {
        await held;
        return { protocolVersion: 1, agentCapabilities: {}, agentInfo: info, authMethods: [] };
      };
      const run = await context.start({ handlers: { initialize } });
      await run.agent();
      if (!(await run.request("initialize"))) context.skip(`The client sent no \`initialize\`${run.silence()}.`);
      await run.until(() => run.requests.length > 1, context.driving.quietMs);
      const early = run.requests.find(({ method }) => method !== "initialize");
      release();
      const sent = "No message yet; the agent delays its response to `initialize`.";
      if (early) context.fail("INIT-01", { sent, received: shown(early) });
    },
  }),
  leaves("opening/newer-version", "The client leaves an agent that responds with a newer version", "INIT-09", 99),
  leaves("opening/version-zero", "The client leaves an agent that responds with version 0", "INIT-09", 0),
  works(
    "opening/bare-answer",
    ["INIT-12", "INIT-15"],
    "The client works with an agent whose initialize response has only the version",
    { protocolVersion: 1 },
  ),
  works("opening/null-capabilities", ["INIT-13"], "The client reads capabilities that are `null` as absent", {
    protocolVersion: 1,
    agentCapabilities: {
      sessionCapabilities: { list: null, resume: null, close: null, delete: null, additionalDirectories: null },
      auth: { logout: null },
    },
    agentInfo: null,
    authMethods: [],
  }),
  works("opening/unknown-capabilities", ["INIT-23"], "The client ignores capabilities that it doesn't know", {
    protocolVersion: 1,
    agentCapabilities: {
      future: {},
      promptCapabilities: { smell: true },
      sessionCapabilities: { teleport: {} },
      _meta: { "acp-kit.test/any": [1, { deep: null }] },
    },
    agentInfo: { ...info, title: "A title", flavour: "unknown" },
  }),
  works(
    "opening/malformed-optional-members",
    ["INIT-22"],
    "The client reads malformed optional members of the response as absent",
    {
      protocolVersion: 1,
      agentCapabilities: { loadSession: "yes", promptCapabilities: 5, sessionCapabilities: [] },
      agentInfo: 5,
      authMethods: [5, { id: "fine", name: "A method that is fine" }],
    },
  ),
  works("opening/everything-advertised", ["INIT-15"], "The client works with an agent that advertises everything", {
    protocolVersion: 1,
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    agentInfo: info,
    authMethods: [],
  }),
  clientScenario("opening/modes", ["INIT-15"], {
    title: "The client works with an agent that has modes",
    run: async (context) => {
      const availableModes = [
        { id: "ask", name: "Ask", description: null },
        { id: "code", name: "Code" },
      ];
      const turn = await context.turn({ session: { modes: { currentModeId: "ask", availableModes } } });
      await context.survived(turn, "INIT-15", "a session with modes");
    },
  }),
  clientWatch("lifecycle/initialize-first", ["INIT-01", "SESS-01"], {
    title: "No other request is sent before the response to `initialize`",
    judge: (event, state) => {
      const call = callOf(event);
      if (!call || call.method.startsWith("$/")) return undefined;
      if (call.method === "initialize" || state.initialized) return "fine";
      // After an error response to initialize, the rule does not apply to further requests.
      if (state.initializeSent && state.openFromClient.size === 0) return undefined;
      return {
        requirement: call.method.startsWith("session/") ? "SESS-01" : "INIT-01",
        sent: state.initializeSent
          ? "No response to `initialize` yet."
          : "No message; the client sent no `initialize`.",
        received: shown(event.kind === "request" || event.kind === "notification" ? event.message : undefined),
      };
    },
  }),
  callWatch("lifecycle/initialize-once", ["INIT-21"], {
    title: "`initialize` is sent once per connection",
    method: "initialize",
    judge: (_, { initializeSent }) => !initializeSent,
  }),
  callWatch("lifecycle/protocol-version", ["INIT-02", "INIT-11"], {
    title: "`initialize` names a protocol version",
    method: "initialize",
    judge: (call) => {
      const version = member(call.params, "protocolVersion");
      const isVersion = typeof version === "number" && Number.isInteger(version) && version >= 0 && version <= 65535;
      if (isVersion && version > 0) return true;
      return {
        requirement: isVersion ? "INIT-02" : "INIT-11",
        received: shown(call.params),
        explanation: "`protocolVersion` is an integer from 1 to 65535.",
      };
    },
  }),
  callWatch("lifecycle/client-info", ["INIT-04"], {
    title: "`initialize` states the client's name and version",
    method: "initialize",
    judge: (call) => {
      const info = member(call.params, "clientInfo");
      const isNamed = ["name", "version"].every((name) => textOf(member(info, name)));
      return isNamed || { received: shown(call.params) };
    },
  }),
  callWatch("lifecycle/client-capabilities", ["INIT-03"], {
    title: "`initialize` states the client's capabilities",
    method: "initialize",
    judge: (call) => {
      if (isObject(member(call.params, "clientCapabilities"))) return true;
      return {
        received: shown(call.params),
        explanation: "`initialize` has `clientCapabilities`: the agent uses no capability that is missing there.",
      };
    },
  }),
  schemaWatch("initialize", ["RPC-18", "INIT-11"], ["initialize"], ofVersion),
];

/** Creates a scenario in which the agent responds with a version that the client cannot have requested. */
export function leaves(
  id: string,
  title: string,
  rule: string,
  protocolVersion: number,
): Scenario<ClientScenarioContext> {
  return clientScenario(id, [rule], {
    title,
    run: async (context) => {
      const run = await context.start({
        initialized: { protocolVersion, agentCapabilities: {}, agentInfo: info, info, capabilities: {} },
      });
      const agent = await run.agent();
      if (!(await run.request("initialize"))) context.skip(`The client sent no \`initialize\`${run.silence()}.`);
      const goesOn = (): Call | undefined => {
        const since = run.requests.findIndex(({ method }) => method === "initialize");
        return run.requests.slice(since).find(({ method }) => method !== "initialize");
      };
      const left = await Promise.race([
        agent.wire.closed.then(() => true),
        run.exit().then((status) => status !== undefined),
        run.until(() => goesOn() !== undefined).then(() => false),
      ]);
      const next = goesOn();
      if (next) context.fail(rule, { sent: `\`protocolVersion\` ${protocolVersion}`, received: shown(next) });
      if (left) return;
      await run.waitForLateExit();
      context.fail(rule, {
        sent: `\`protocolVersion\` ${protocolVersion}`,
        received: `No message, and the connection was still open ${context.driving.stepTimeoutMs} ms later.`,
      });
    },
  });
}
