import type { AgentContext, ReadyAgent, TestSession } from "../../agent/agent-context.js";
import type { RecordedResponse, SentRequest } from "../../agent/agent-messages.js";
import { type AgentCheck, agentScenario, sessionScenario } from "../../agent/agent-scenario.js";
import { needsCapability, offers } from "../../agent/capability-needs.js";
import { checkWait, stopTurn, waitingTurn } from "../../agent/lasting-turn.js";
import { noModel, noSession } from "../../agent/obstacles.js";
import { result, schemaWatch } from "../../agent/schema-watch.js";
import { isStreamed } from "../../agent/session-history.js";
import { isError, isSuccess } from "../../response-matchers.js";
import { asText, isAbsolutePath, isObject, type Json, member, shown, textOf } from "../../wire/values.js";

const isHistory = (one: { readonly update: Json }): boolean =>
  isStreamed(one) || one.update.sessionUpdate === "user_message_chunk";

/** The checks of agents: sessions. */
export const sessionsAgentChecks: readonly AgentCheck[] = [
  agentScenario("session/unique-ids", ["SESS-03"], {
    title: "Every session has an id of its own",
    async run(context) {
      const { peer } = await context.ready();
      const sessions: TestSession[] = [];
      for (let count = 0; count < 5; count++) sessions.push(await context.newSession(peer));
      const ids = sessions.map(({ id }) => id);
      if (new Set(ids).size === ids.length && !ids.includes("")) return;
      context.fail("SESS-03", { sent: "session/new, five times", received: `the ids ${shown(ids)}` });
    },
  }),
  agentScenario("session/malformed-params", ["SESS-33", "WIRE-04", "ERR-05"], {
    title: "session/new with malformed params is an error",
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
  agentScenario("session/null-lists", ["WIRE-03"], {
    title: "null in place of a list is read as an empty one",
    async run(context) {
      await context.openSession(); // the control
      const { peer } = await context.ready(); // an agent may refuse a second session, whatever its params
      const response = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: null });
      context.expect("WIRE-03", response, isSuccess, "session/new with mcpServers null");
    },
  }),
  agentScenario("session/unknown", ["SESS-31", "ERR-06"], {
    title: "A request for a session that doesn't exist gets the error -32002",
    async run(context) {
      const { peer } = await context.ready();
      await context.newSession(peer);
      const sessionId = "conformance-no-such-session";
      const params = { sessionId, prompt: [{ type: "text", text: "hello" }] };
      const response = await peer.request("session/prompt", params, { timeoutMs: context.options.turnTimeoutMs });
      if (response.error?.code === -32002 && member(response.error, "data", "sessionId") === sessionId) return;
      if (response.error && !context.facts.endsTurns) context.inconclusive(`${noModel}: ${shown(response.error)}`);
      context.fail("SESS-31", { sent: `session/prompt with the sessionId ${shown(sessionId)}`, received: response });
    },
  }),
  agentScenario("session/cwd", ["SESS-08", "SESS-09"], {
    title: "A relative path is resolved against the session's cwd, wherever the agent was started",
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
  sessionScenario("session/load", ["SESS-14", "SESS-15", "SESS-16", "SESS-17", "SESS-18"], {
    title: "Loading a session replays the whole conversation before the response, and then continues it",
    needs: ["agentCapabilities.loadSession", "prompt: text"],
    async run(context, old) {
      const text = context.text("text");
      await context.turn(old, text);
      const spoke = context.updates(old).some(isStreamed);
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
      const replayed = context.updates(session, since).filter(isHistory);
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
      const next = await context.endOf(session, context.prompt(session, text));
      context.expect("SESS-18", next, isSuccess, "a prompt in a session that was loaded");
    },
  }),
  agentScenario("session/load-unknown", ["SESS-31", "SESS-14"], {
    title: "Loading a session that doesn't exist is an error",
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
  sessionScenario("session/resume", ["SESS-23", "SESS-24"], {
    title: "Resuming a session replays none of the conversation, and then continues it",
    needs: ["agentCapabilities.sessionCapabilities.resume", "prompt: text"],
    async run(context, old) {
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
      const replayed = context.updates(session, since).find(isHistory);
      if (replayed && replayed.seq < response.seq) {
        context.note("SESS-23", {
          sent: "session/resume",
          received: `${shown(replayed.update)} before the response`,
          where: session.peer.at(since, replayed.seq),
        });
      }
      const next = await context.endOf(session, context.prompt(session, context.text("text")));
      context.expect("SESS-24", next, isSuccess, "a prompt in a session that was resumed");
    },
  }),
  sessionScenario("session/close", ["SESS-28", "SESS-30", "SESS-31"], {
    title: "session/close returns an object and deactivates the session",
    needs: ["agentCapabilities.sessionCapabilities.close"],
    async run(context, session) {
      const closed = await session.peer.request("session/close", { sessionId: session.id });
      if (!isObject(closed.result)) {
        context.fail("SESS-28", { sent: "session/close", received: closed });
      }
      const turn = context.prompt(session, context.options.prompts.text ?? "hello");
      const response = await context.endOf(session, turn);
      if (response.error) return;
      context.fail("SESS-30", {
        sent: "a prompt in a session that was closed",
        received: response,
        explanation:
          "A closed session is not active on the connection: a prompt gets an error until the session is loaded or resumed.",
        where: session.peer.at(closed.seq, turn.prompt.seq, response.seq),
      });
    },
  }),
  sessionScenario("session/close-running", ["SESS-27"], {
    title: "Closing a session cancels its turn first",
    basis: "cancel/running-turn",
    needs: ["agentCapabilities.sessionCapabilities.close", "prompt: permission, form, read or terminal"],
    async run(context: AgentContext, session) {
      const idle = await context.newSession(session.peer);
      const control = await session.peer.request("session/close", { sessionId: idle.id });
      if (control.error) context.inconclusive("session/close fails without a running turn, too");
      // A turn that doesn't wait for the client may end by itself before the agent reads session/close.
      const turn = await waitingTurn(context, session);
      if (!turn) context.skip("in no turn did the agent wait for the client: --prompt permission=…");
      const close = (): SentRequest => session.peer.sendRequest("session/close", { sessionId: session.id });
      const stopped = await stopTurn(context, session, turn, close, "SESS-27");
      const { response, sent, isCancelled } = stopped;
      const closed = await session.peer.responseTo(sent, context.options.turnTimeoutMs);
      if (isCancelled) return;
      await checkWait(context, await context.newSession(session.peer), turn, stopped);
      context.fail("SESS-27", {
        sent: `session/close while a turn was waiting for the response to ${turn.request.method}`,
        received: response.error
          ? `the prompt's error ${shown(response.error)}`
          : `the prompt's result ${shown(response.result)}`,
        where: session.peer.at(turn.prompt.seq, turn.request.seq, closed.seq, response.seq),
      });
    },
  }),
  schemaWatch(
    "sessions",
    ["SESS-03", "SESS-17", "SESS-25", "SESS-28", "DEL-02"],
    "Results about sessions match the schema",
    result("session/new", "session/load", "session/resume", "session/close", "session/delete"),
  ),
];

/**
 * Ends the agent's process, and sends `session/load` or `session/resume` to a new one. If that fails, creates a session
 * in the new process, runs a turn, and sends the request again for this session.
 */
async function reopen(
  context: AgentContext,
  old: TestSession & ReadyAgent,
  method: "session/load" | "session/resume",
): Promise<{ session: TestSession; response: RecordedResponse; since: number }> {
  const params = { sessionId: old.id, cwd: context.files.cwd, mcpServers: [] };
  await old.peer.quiet(context.options.quietMs);
  old.peer.process.endInput();
  await old.peer.ended(context.options.exitGraceMs);
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
