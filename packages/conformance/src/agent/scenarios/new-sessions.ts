import { isAnyError, isError, isSuccess } from "../../response-matchers.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";
import type { TestSession } from "../agent-context.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { needsCapability } from "../capability-needs.js";
import { noModel } from "../obstacles.js";

/** Scenarios about `session/new`: ids, params, directories. */
export const newSessionScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "session/unique-ids",
    title: "Every session has an id of its own",
    verifies: ["SESS-03"],
    async run(context) {
      const { peer } = await context.ready();
      const sessions: TestSession[] = [];
      for (let count = 0; count < 5; count++) sessions.push(await context.newSession(peer));
      const ids = sessions.map(({ id }) => id);
      if (new Set(ids).size === ids.length && !ids.includes("")) return;
      context.fail("SESS-03", { sent: "session/new, five times", received: `the ids ${shown(ids)}` });
    },
  }),
  agentScenario({
    id: "session/malformed-params",
    title: "session/new with malformed params is an error",
    verifies: ["SESS-33", "WIRE-04", "ERR-05"],
    async run(context) {
      await context.openSession(); // the control
      for (const params of [{ mcpServers: [] }, { cwd: 5, mcpServers: [] }]) {
        const { peer } = await context.ready(); // an agent may refuse a second session, whatever its params
        const response = await peer.request("session/new", params);
        context.expect(response.error ? "ERR-05" : "SESS-33", response, isError(-32602), {
          sent: `session/new with ${shown(params)}`,
          explanation: "The required member cwd is a string: anything else gets the error -32602.",
        });
      }
    },
  }),
  agentScenario({
    id: "session/null-lists",
    title: "null in place of a list is read as an empty one",
    verifies: ["WIRE-03"],
    async run(context) {
      await context.openSession(); // the control
      const { peer } = await context.ready(); // an agent may refuse a second session, whatever its params
      const response = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: null });
      context.expect("WIRE-03", response, isSuccess, { sent: "session/new with mcpServers null" });
    },
  }),
  agentScenario({
    id: "session/unknown",
    title: "A request for a session that doesn't exist gets the error -32002",
    verifies: ["SESS-31", "ERR-06"],
    async run(context) {
      const { peer } = await context.ready();
      await context.newSession(peer);
      const sessionId = "conformance-no-such-session";
      const response = await peer.request(
        "session/prompt",
        { sessionId, prompt: [{ type: "text", text: "hello" }] },
        { timeoutMs: context.options.turnMs },
      );
      if (response.error?.code === -32002 && member(response.error, "data", "sessionId") === sessionId) return;
      if (response.error && !context.facts.endsTurns) context.inconclusive(`${noModel}: ${shown(response.error)}`);
      context.fail("SESS-31", { sent: `session/prompt with the sessionId ${shown(sessionId)}`, received: response });
    },
  }),
  agentScenario({
    id: "session/cwd",
    title: "A relative path is resolved against the session's cwd, wherever the agent was started",
    verifies: ["SESS-08", "SESS-09"],
    needs: ["prompt: write"],
    async run(context) {
      const cwd = await context.files.makeDirectory("elsewhere");
      const agent = await context.ready();
      const session = await context.newSession(agent.peer, { cwd });
      const turn = context.prompt(session, context.text("write", { path: "conformance-relative.txt" }));
      await context.endOf(session, turn);
      const expected = context.files.join(cwd, "conformance-relative.txt");
      if ((await context.files.read(expected)) !== undefined) return;
      const elsewhere = context.files.join(context.files.agentCwd, "conformance-relative.txt");
      const wrote = agent.peer.incoming.find(({ method }) => method === "fs/write_text_file");
      const strayed = (await context.files.read(elsewhere)) !== undefined;
      await context.files.remove(elsewhere);
      if (!wrote && !strayed) context.skip("the agent wrote no file: --prompt write=…");
      if (!strayed && !isAbsolutePath(member(wrote?.params, "path"))) {
        context.skip("the agent sent a path that isn't absolute, which the report shows as a separate finding");
      }
      context.fail("SESS-09", {
        sent: `a prompt to write conformance-relative.txt in a session whose cwd is ${cwd}`,
        received: strayed ? `the file ${elsewhere}` : `fs/write_text_file with ${shown(wrote?.params)}`,
        explanation: "The cwd of the session is the base of relative paths, not the directory of the process.",
        where: agent.peer.at(turn.prompt.seq, ...(wrote ? [wrote.seq] : [])),
      });
    },
  }),
  agentScenario({
    id: "session/additional-directories",
    title: "The agent accepts additional directories only as a list of absolute paths",
    verifies: ["DIR-03"],
    needs: ["agentCapabilities.sessionCapabilities.additionalDirectories"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "sessionCapabilities", "additionalDirectories");
      const directory = await context.files.makeDirectory("further");
      await context.newSession(agent.peer, { additionalDirectories: [directory] });
      for (const additionalDirectories of [["relative"], [""], [1], "no list"]) {
        const params = { cwd: context.files.cwd, mcpServers: [], additionalDirectories };
        const response = await agent.peer.request("session/new", params);
        context.expect("DIR-03", response, isAnyError, {
          sent: `session/new with additionalDirectories ${shown(additionalDirectories)}`,
        });
      }
    },
  }),
];
