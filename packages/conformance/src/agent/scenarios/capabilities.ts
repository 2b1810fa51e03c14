import { isError, isNotError } from "../../response-matchers.js";
import { isObject, type Json, member, shown } from "../../wire/values.js";
import type { Incoming } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { offers } from "../capability-needs.js";
import { noSession } from "../obstacles.js";
import type { PromptPurpose } from "../prompt-purposes.js";

/** Optional methods, each with the capability that it requires and with well-formed params. */
const gated = (cwd: string): readonly { method: string; path: readonly string[]; params: object }[] => [
  { method: "session/load", path: ["loadSession"], params: { sessionId: "x", cwd, mcpServers: [] } },
  { method: "session/list", path: ["sessionCapabilities", "list"], params: {} },
  { method: "session/delete", path: ["sessionCapabilities", "delete"], params: { sessionId: "no-such-session" } },
  {
    method: "session/resume",
    path: ["sessionCapabilities", "resume"],
    params: { sessionId: "x", cwd, mcpServers: [] },
  },
  { method: "session/close", path: ["sessionCapabilities", "close"], params: { sessionId: "no-such-session" } },
  { method: "logout", path: ["auth", "logout"], params: {} },
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

interface Gate {
  readonly path: readonly string[];
  readonly rule: string;
}

/** The capability of the client that a request needs, and the rule that says so. */
const gateOf = {
  read: { path: ["fs", "readTextFile"], rule: "CAP-13" },
  write: { path: ["fs", "writeTextFile"], rule: "CAP-14" },
  terminal: { path: ["terminal"], rule: "CAP-15" },
  form: { path: ["elicitation", "form"], rule: "CAP-16" },
  url: { path: ["elicitation", "url"], rule: "CAP-17" },
} as const satisfies Readonly<Record<string, Gate>>;

function gateFor({ kind, method, params }: Incoming): Gate | undefined {
  if (kind !== "request" || method === undefined) return undefined;
  if (method === "fs/read_text_file") return gateOf.read;
  if (method === "fs/write_text_file") return gateOf.write;
  if (method.startsWith("terminal/")) return gateOf.terminal;
  if (method !== "elicitation/create") return undefined;
  return member(params, "mode") === "url" ? gateOf.url : gateOf.form;
}

function isAdvertised(capabilities: Json, path: readonly string[]): boolean {
  const value = member(capabilities, ...path);
  return value === true || isObject(value);
}

/** Clients that advertise only some capabilities, some of them in a form that agents often misread. */
const partialClients: readonly { what: string; capabilities: Json; verifies: readonly string[] }[] = [
  { what: "nothing", capabilities: {}, verifies: ["INIT-12"] },
  {
    what: "empty groups",
    capabilities: { fs: {}, session: { configOptions: {} }, elicitation: { form: null, url: null }, auth: {} },
    verifies: ["INIT-14", "INIT-13"],
  },
  {
    what: "writing and pages",
    capabilities: { fs: { readTextFile: false, writeTextFile: true }, elicitation: { url: {} } },
    verifies: ["INIT-12"],
  },
  {
    what: "reading and forms",
    capabilities: { fs: { readTextFile: true }, elicitation: { form: {} } },
    verifies: ["INIT-12"],
  },
];

/** Scenarios about capabilities. */
export const capabilityScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "capabilities/advertised-methods",
    title: "Every method that the agent advertises exists",
    verifies: ["INIT-17"],
    async run(context) {
      const agent = await context.ready();
      const advertised = gated(context.files.cwd).filter(({ path }) => offers(agent, ...path));
      if (advertised.length === 0) context.skip("the agent advertises no optional method");
      for (const { method, path, params } of advertised) {
        const response = await agent.peer.request(method, params);
        context.expect("INIT-17", response, isNotError(-32601), {
          sent: `${method}, for which agentCapabilities.${path.join(".")} is advertised`,
          explanation: "A request for a method whose capability is advertised does not get the error -32601.",
        });
      }
    },
  }),
  agentScenario({
    id: "capabilities/other-methods",
    title: "A method that the agent doesn't advertise gets the error -32601",
    verifies: ["CAP-22"],
    async run(context) {
      const agent = await context.ready();
      const others = gated(context.files.cwd).filter(({ path }) => !offers(agent, ...path));
      if (others.length === 0) context.skip("the agent advertises every method");
      for (const { method, path, params } of others) {
        const response = await agent.peer.request(method, params);
        context.expect("CAP-22", response, isError(-32601), {
          sent: `${method}, without agentCapabilities.${path.join(".")}`,
        });
      }
    },
  }),
  ...partialClients.map(({ what, capabilities, verifies }) =>
    agentScenario({
      id: `capabilities/client-with-${what.replaceAll(" ", "-")}`,
      title: `With a client that advertises ${what}, the agent uses no feature that needs another capability`,
      // If the agent uses a feature without its capability, the watches watch/capabilities/… report it too, under the capability's rule.
      verifies: [...verifies, ...Object.values(gateOf).map(({ rule }) => rule)],
      needs: ["prompt: read, write, terminal, form, url, notice, compaction"],
      async run(context) {
        const session = await context.openSession({}, capabilities);
        const purposes = tempting.filter((purpose) => context.options.prompts[purpose] !== undefined);
        if (purposes.length === 0) context.skip("no prompt is known that makes the agent use such a feature");
        const path = context.files.join(context.files.cwd, "tempting.txt");
        await context.files.write(path, "tempting\n");
        for (const purpose of purposes) {
          await context.endOf(session, context.prompt(session, context.text(purpose, { path })));
        }
        const gates = session.peer.incoming.map((message) => ({ message, gate: gateFor(message) }));
        const used = gates.find(({ gate }) => gate && !isAdvertised(capabilities, gate.path));
        if (!used?.gate) return;
        context.fail(used.gate.rule, {
          sent: `initialize with clientCapabilities ${shown(capabilities)}, and then prompts`,
          received: `${used.message.method} ${shown(used.message.params)}`,
          explanation:
            "The agent uses no feature that the client did not advertise. A group such as fs: {} advertises no feature, and null means absent.",
          where: session.peer.at(used.message.seq),
        });
      },
    }),
  ),
  agentScenario({
    id: "capabilities/login",
    title: "The result of authenticate is an object, and sessions can be opened afterwards",
    verifies: ["AUTH-06"],
    needs: ["--auth-method"],
    async run(context) {
      const { authMethod } = context.options;
      if (authMethod === undefined) context.skip("no login method was given: --auth-method");
      const { peer } = await context.initialize(await context.start());
      const response = await peer.request(
        "authenticate",
        { methodId: authMethod },
        { timeoutMs: context.options.turnMs },
      );
      if (response.error) context.inconclusive(`authenticate with ${authMethod} failed: ${shown(response.error)}`);
      const opened = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
      if (isObject(response.result) && opened.error?.code !== -32000) return;
      context.fail("AUTH-06", {
        sent: `authenticate with ${authMethod}, then session/new`,
        received: opened.error ? `the error ${shown(opened.error)}` : shown(response.result),
        where: peer.at(response.seq),
      });
    },
  }),
  agentScenario({
    id: "capabilities/logout",
    title: "After logout, sessions need a new login",
    verifies: ["AUTH-17", "AUTH-07"],
    needs: ["agentCapabilities.auth.logout", "--auth-method"],
    async run(context) {
      if (context.options.authMethod === undefined) context.skip("no login method was given: --auth-method");
      const agent = await context.ready();
      if (!offers(agent, "auth", "logout")) context.skip("the agent doesn't advertise agentCapabilities.auth.logout");
      const response = await agent.peer.request("logout", {});
      const opened = await agent.peer.request("session/new", { cwd: context.files.cwd, mcpServers: [] });
      if (isObject(response.result) && opened.error?.code === -32000) return;
      if (opened.error && !context.facts.opensSessions) context.inconclusive(noSession(opened.error));
      context.fail("AUTH-17", {
        sent: "logout, then session/new",
        received: `${shown(response.error ?? response.result)}, then ${shown(opened.error ?? opened.result)}`,
        where: agent.peer.at(response.seq, opened.seq),
      });
    },
  }),
];
