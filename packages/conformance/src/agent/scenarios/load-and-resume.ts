import { isSuccess } from "../../response-matchers.js";
import { asText, isObject, type Json, member, shown, textOf } from "../../wire/values.js";
import type { AgentContext, ReadyAgent, TestSession } from "../agent-context.js";
import type { RecordedResponse } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { needsCapability, offers } from "../capability-needs.js";
import { noSession } from "../obstacles.js";
import { streamedUpdates } from "../watches/session-history.js";

const history: ReadonlySet<string> = new Set(["user_message_chunk", ...streamedUpdates]);

/** Scenarios about `session/load` and `session/resume`. */
export const loadAndResumeScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "session/load",
    title: "Loading a session replays the whole conversation before the response, and then continues it",
    verifies: ["SESS-14", "SESS-15", "SESS-16", "SESS-17", "SESS-18"],
    needs: ["agentCapabilities.loadSession", "prompt: text"],
    async run(context) {
      const old = await context.openSession();
      needsCapability(context, old, "loadSession");
      const text = context.text("text");
      await context.turn(old, text);
      const spoke = context
        .updates(old)
        .some(
          ({ update }) => history.has(asText(update.sessionUpdate)) && update.sessionUpdate !== "user_message_chunk",
        );
      const { session, response, since } = await reopen(context, old, "session/load");
      const where = session.peer.at(since, response.seq);
      const sent = "session/load of a session with one turn";
      if (response.error) {
        context.fail("SESS-14", {
          sent: `${sent}, in a new process and in the process that created it`,
          received: response,
          explanation: "An agent that advertises loadSession loads its sessions.",
          remedy:
            "Store each session so that session/load finds it, also in a new process. If you cannot, do not advertise loadSession.",
          where,
        });
      }
      // The specification's page on sessions shows null here; the schema requires an object.
      if (!isObject(response.result) && response.result !== null) {
        context.note("SESS-17", { sent, received: response, where });
      }
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      const replayed = context
        .updates(session, since)
        .filter(({ update }) => history.has(asText(update.sessionUpdate)));
      const late = replayed.find(({ seq }) => seq > response.seq);
      if (late) {
        context.note("SESS-15", {
          sent,
          received: `${shown(late.update)} after the response`,
          where: session.peer.at(response.seq, late.seq),
        });
      }
      const kinds = replayed.map(({ update }) => asText(update.sessionUpdate));
      const said = replayed
        .filter(({ update }) => update.sessionUpdate === "user_message_chunk")
        .map(({ update }) => textOf(member(update.content, "text")) ?? "")
        .join("");
      const user = kinds.indexOf("user_message_chunk");
      if (replayed.length === 0 || (spoke && !kinds.some((kind) => kind !== "user_message_chunk"))) {
        context.fail("SESS-14", {
          sent,
          received: replayed.length === 0 ? "no history" : "a history without the agent's messages",
          where,
        });
      }
      if (
        user === -1 ||
        !said.includes(text.trim()) ||
        kinds.slice(0, user).some((kind) => kind !== "user_message_chunk")
      ) {
        context.note("SESS-16", {
          sent,
          received: `a history of ${shown(kinds)}, with the user messages ${shown(said)}`,
          where,
        });
      }
      const turn = context.prompt(session, text);
      const next = await context.endOf(session, turn);
      context.expect("SESS-18", next, isSuccess, { sent: "a prompt in a session that was loaded" });
    },
  }),
  agentScenario({
    id: "session/load-unknown",
    title: "Loading a session that doesn't exist is an error",
    verifies: ["SESS-31", "SESS-14"],
    needs: ["agentCapabilities.loadSession"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "loadSession");
      const sessionId = "00000000-0000-4000-8000-000000000000";
      const response = await agent.peer.request("session/load", { sessionId, cwd: context.files.cwd, mcpServers: [] });
      if (response.error?.code === -32002) return;
      if (response.error && !context.facts.opensSessions) context.inconclusive(noSession(response.error));
      context.fail("SESS-31", { sent: "session/load of a session that doesn't exist", received: response });
    },
  }),
  agentScenario({
    id: "session/resume",
    title: "Resuming a session replays none of the conversation, and then continues it",
    verifies: ["SESS-23", "SESS-24"],
    needs: ["agentCapabilities.sessionCapabilities.resume", "prompt: text"],
    async run(context) {
      const old = await context.openSession();
      needsCapability(context, old, "sessionCapabilities", "resume");
      await context.turn(old, context.text("text"));
      const { session, response, since } = await reopen(context, old, "session/resume");
      if (response.error) {
        context.fail("SESS-24", {
          sent: "session/resume of a session with one turn, in a new process and in the process that created it",
          received: response,
          explanation: "An agent that advertises sessionCapabilities.resume resumes its sessions.",
          where: session.peer.at(since, response.seq),
        });
      }
      const replayed = context.updates(session, since).find(({ update }) => history.has(asText(update.sessionUpdate)));
      if (replayed && replayed.seq < response.seq) {
        context.note("SESS-23", {
          sent: "session/resume",
          received: `${shown(replayed.update)} before the response`,
          where: session.peer.at(since, replayed.seq),
        });
      }
      const turn = context.prompt(session, context.text("text"));
      const next = await context.endOf(session, turn);
      context.expect("SESS-24", next, isSuccess, { sent: "a prompt in a session that was resumed" });
    },
  }),
];

/**
 * Ends the agent's process, and sends `session/load` or `session/resume` to a new one. If that fails, creates a session in the new process,
 * runs a turn, and sends the request again for this session.
 */
async function reopen(
  context: AgentContext,
  old: TestSession & ReadyAgent,
  method: "session/load" | "session/resume",
): Promise<{ session: TestSession; response: RecordedResponse; since: number }> {
  const params = { sessionId: old.id, cwd: context.files.cwd, mcpServers: [] };
  await old.peer.quiet(context.options.quietMs);
  old.peer.process.endInput();
  await old.peer.ended(context.options.exitMs);
  await old.peer.process.kill();
  const fresh = await context.ready();
  const request = fresh.peer.sendRequest(method, params);
  const response = await fresh.peer.responseTo(request);
  if (!response.error)
    return { session: { peer: fresh.peer, id: old.id, result: asResult(response) }, response, since: request.seq };
  // The agent may keep its sessions only in memory.
  const alive = await context.newSession(fresh.peer);
  await context.turn(alive, context.text("text"));
  if (offers(fresh, "sessionCapabilities", "close")) await fresh.peer.request("session/close", { sessionId: alive.id });
  const again = fresh.peer.sendRequest(method, { ...params, sessionId: alive.id });
  const second = await fresh.peer.responseTo(again);
  return { session: { ...alive, result: asResult(second) }, response: second, since: again.seq };
}

function asResult(response: RecordedResponse): Json {
  return isObject(response.result) ? response.result : {};
}
