import { type AgentCheck, agentScenario } from "../../agent/agent-scenario.js";
import { needsCapability } from "../../agent/capability-needs.js";
import { isAnyError } from "../../response-matchers.js";
import { shown } from "../../wire/values.js";

/** The checks of agents: additional directories. */
export const additionalDirectoriesAgentChecks: readonly AgentCheck[] = [
  agentScenario("session/additional-directories", ["DIR-03"], {
    title: "The agent accepts additional directories only as a list of absolute paths",
    needs: ["agentCapabilities.sessionCapabilities.additionalDirectories"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "sessionCapabilities", "additionalDirectories");
      const directory = await context.files.makeDirectory("further");
      await context.newSession(agent.peer, { additionalDirectories: [directory] });
      for (const additionalDirectories of [["relative"], [""], [1], "no list"]) {
        const params = { cwd: context.files.cwd, mcpServers: [], additionalDirectories };
        const response = await agent.peer.request("session/new", params);
        const sent = `session/new with additionalDirectories ${shown(additionalDirectories)}`;
        context.expect("DIR-03", response, isAnyError, sent);
      }
    },
  }),
];
