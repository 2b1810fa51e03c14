import type { AgentContext } from "../../agent/agent-context.js";
import type { RecordedResponse } from "../../agent/agent-messages.js";
import { type AgentCheck, agentScenario, agentWatch, sessionScenario } from "../../agent/agent-scenario.js";
import { needsCapability } from "../../agent/capability-needs.js";
import { result, schemaWatch } from "../../agent/schema-watch.js";
import { isAnyError } from "../../response-matchers.js";
import { asText, isAbsolutePath, isIso8601, member, objectsIn, shown, textOf } from "../../wire/values.js";

/** The checks of agents: session list. */
export const sessionListAgentChecks: readonly AgentCheck[] = [
  sessionScenario("session/list", ["LIST-02", "LIST-04", "LIST-05", "LIST-14", "RPC-11"], {
    title: "session/list returns the sessions of one directory",
    needs: ["agentCapabilities.sessionCapabilities.list", "prompt: text"],
    async run(context, session) {
      await context.turn(session, context.text("text"));
      const other = await context.newSession(session.peer, { cwd: await context.files.makeDirectory("elsewhere") });
      await context.turn(other, context.text("text"));
      const seen = new Map<string, number>();
      let cursor: unknown;
      for (let page = 0; page < 20; page++) {
        const params = { cwd: context.files.cwd, ...(cursor !== undefined && { cursor }) };
        const response = await session.peer.request("session/list", params);
        listOf(context, response);
        for (const { sessionId, cwd } of objectsIn(member(response.result, "sessions"))) {
          seen.set(asText(sessionId), (seen.get(asText(sessionId)) ?? 0) + 1);
          if (cwd === context.files.cwd) continue;
          context.fail("LIST-04", {
            sent: `session/list with cwd ${context.files.cwd}`,
            received: `a session with cwd ${shown(cwd)}`,
            where: session.peer.at(response.seq),
          });
        }
        cursor = member(response.result, "nextCursor") ?? undefined;
        if (cursor === undefined) break;
      }
      if ([...seen.values()].some((times) => times > 1)) {
        context.note("LIST-14", {
          sent: "session/list for one page after the other",
          received: "a session on two pages",
        });
      }
      if (!seen.has(session.id)) {
        context.note("LIST-14", {
          sent: `session/list with cwd ${context.files.cwd}`,
          received: `a list without the session ${session.id}, which was created in that directory and has had a turn`,
        });
      }
      listOf(context, await session.peer.request("session/list", { cwd: "/conformance/no/such/directory" }));
      listOf(context, await session.peer.request("session/list"), "RPC-11");
      listOf(context, await session.peer.request("session/list", { cwd: null, cursor: null }), "LIST-02");
    },
  }),
  agentScenario("session/list-bad-cursor", ["LIST-10"], {
    title: "An unknown cursor gets an error",
    needs: ["agentCapabilities.sessionCapabilities.list"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "sessionCapabilities", "list");
      const response = await agent.peer.request("session/list", { cursor: "conformance: no such cursor" });
      context.expect("LIST-10", response, isAnyError, "session/list with a cursor that the agent never returned");
    },
  }),
  schemaWatch(
    "session-list",
    ["LIST-05", "LIST-06", "LIST-09"],
    "Lists of sessions match the schema",
    result("session/list"),
  ),
  agentWatch("watch/session-list-entries", ["LIST-06", "DIR-16"], {
    title: "Listed sessions have absolute directories and times in ISO 8601",
    check({ spoken }, { countEntry, wrong }) {
      for (const { other, message, seq } of spoken) {
        if (other?.method !== "session/list") continue;
        for (const info of objectsIn(member(message, "result", "sessions"))) {
          countEntry();
          const at = textOf(info.updatedAt);
          if (!isAbsolutePath(info.cwd))
            wrong("LIST-06", [seq], shown(info), "The cwd of a listed session is an absolute path.");
          if (at !== undefined && !isIso8601(at))
            wrong("LIST-06", [seq], shown(info), "The time updatedAt is a date and a time in ISO 8601.", {
              remedy: "Send updatedAt as a date and a time in ISO 8601, such as the result of toISOString().",
            });
          const directories = info.additionalDirectories;
          if (Array.isArray(directories) && !directories.every(isAbsolutePath)) {
            wrong("DIR-16", [seq], shown(info));
          }
        }
      }
    },
  }),
];

function listOf(context: AgentContext, response: RecordedResponse, requirement = "LIST-05"): void {
  const sessions = member(response.result, "sessions");
  if (Array.isArray(sessions)) return;
  context.fail(requirement, {
    sent: "session/list",
    received: response,
    explanation: "The result has the array sessions, which is empty if no session matches; all params are optional.",
  });
}
