import { type AgentCheck, agentScenario } from "../../agent/agent-scenario.js";
import { offers } from "../../agent/capability-needs.js";
import { everyCapability } from "../../agent/client-side.js";
import { noSession } from "../../agent/obstacles.js";
import { result, schemaWatch } from "../../agent/schema-watch.js";
import { isObject, objectsIn, shown } from "../../wire/values.js";

/** The checks of agents: authentication. */
export const authenticationAgentChecks: readonly AgentCheck[] = [
  agentScenario("initialize/login-methods", ["AUTH-01"], {
    title: "Each login method has an id of its own and a name",
    async run(context) {
      const { peer, initialized } = await context.initialize(await context.start(), {
        ...everyCapability,
        auth: { terminal: true },
      });
      const { authMethods } = initialized;
      if (authMethods === undefined || (Array.isArray(authMethods) && authMethods.length === 0)) {
        context.skip("the agent lists no login methods");
      }
      const ids = objectsIn(authMethods).map(({ id }) => id);
      const right =
        Array.isArray(authMethods) &&
        ids.length === authMethods.length &&
        objectsIn(authMethods).every(({ id, name }) => typeof id === "string" && typeof name === "string");
      if (right && new Set(ids).size === ids.length) return;
      context.fail("AUTH-01", {
        sent: "initialize",
        received: `authMethods ${shown(authMethods)}`,
        explanation: right
          ? "Each login method has an id of its own: a client can't choose between two with the same id."
          : "Each login method has an id and a name, both strings.",
        where: peer.at(1),
      });
    },
  }),
  agentScenario("capabilities/login", ["AUTH-06"], {
    title: "The result of authenticate is an object, and sessions can be opened afterwards",
    needs: ["--auth-method"],
    async run(context) {
      const { authMethod } = context.options;
      if (authMethod === undefined) context.skip("no login method was given: --auth-method");
      const { peer } = await context.initialize(await context.start());
      const response = await peer.request(
        "authenticate",
        { methodId: authMethod },
        { timeoutMs: context.options.turnTimeoutMs },
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
  agentScenario("capabilities/logout", ["AUTH-17", "AUTH-07"], {
    title: "After logout, sessions need a new login",
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
  schemaWatch(
    "login",
    ["AUTH-06", "AUTH-17"],
    "Results of authenticate and logout match the schema",
    result("authenticate", "logout"),
  ),
];
