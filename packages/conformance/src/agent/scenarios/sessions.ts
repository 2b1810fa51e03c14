import { isAbsolutePath, isObject, type Json, member, objectsIn, shown, textOf } from "../../wire/values.js";
import type { AgentContext, ReadyAgent, TestSession } from "../agent-context.js";
import type { Answer } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";

const history = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
]);

/** Whether a marker or flag is advertised. */
export function offers(agent: Pick<ReadyAgent, "capabilities">, ...path: readonly string[]): boolean {
  const value = member(agent.capabilities, ...path);
  return value === true || isObject(value);
}

export function needsCapability(context: AgentContext, agent: ReadyAgent, ...path: readonly string[]): void {
  if (!offers(agent, ...path)) context.skip(`the agent doesn't advertise agentCapabilities.${path.join(".")}`);
}

/** Sends `session/load` or `session/resume` for a session: to a new process, or, where that fails, to the process that has it. */
async function reopen(
  context: AgentContext,
  old: TestSession & ReadyAgent,
  method: "session/load" | "session/resume",
): Promise<{ session: TestSession; answer: Answer; since: number }> {
  const params = { sessionId: old.id, cwd: context.files.cwd, mcpServers: [] };
  await old.peer.quiet(context.options.quietMs);
  old.peer.process.endInput();
  await old.peer.ended(context.options.exitMs);
  await old.peer.process.kill();
  const fresh = await context.ready();
  const asked = fresh.peer.ask(method, params);
  const answer = await fresh.peer.answerTo(asked);
  if (!answer.error)
    return { session: { peer: fresh.peer, id: old.id, result: asResult(answer) }, answer, since: asked.seq };
  // It may keep its sessions only in memory.
  const alive = await context.newSession(fresh.peer);
  await context.turn(alive, context.text("text"));
  if (offers(fresh, "sessionCapabilities", "close")) await fresh.peer.request("session/close", { sessionId: alive.id });
  const again = fresh.peer.ask(method, { ...params, sessionId: alive.id });
  const second = await fresh.peer.answerTo(again);
  return { session: { ...alive, result: asResult(second) }, answer: second, since: again.seq };
}

function asResult(answer: Answer): Json {
  return isObject(answer.result) ? answer.result : {};
}

/** `session/new`, `session/load`, `session/resume`, `session/close`. */
export const sessionScenarios: readonly AgentScenario[] = [
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
      context.fail({
        requirement: "SESS-03",
        sent: "session/new, five times",
        received: `the ids ${shown(ids)}`,
        explanation: "The id of a session is unique, and not empty.",
      });
    },
  }),
  agentScenario({
    id: "session/malformed-params",
    title: "session/new with malformed params is an error",
    verifies: ["SESS-33", "WIRE-04", "ERR-05"],
    async run(context) {
      const { peer } = await context.ready();
      await context.newSession(peer);
      for (const params of [{ mcpServers: [] }, { cwd: 5, mcpServers: [] }]) {
        const answer = await peer.request("session/new", params);
        if (answer.error?.code === -32602) continue;
        context.note({
          requirement: answer.error ? "ERR-05" : "SESS-33",
          sent: `session/new with ${shown(params)}`,
          received: answer.error ? `the error ${shown(answer.error)}` : `the result ${shown(answer.result)}`,
          explanation: "The required member cwd is a string: anything else gets the error -32602.",
          where: peer.at(answer.seq),
        });
      }
    },
  }),
  agentScenario({
    id: "session/null-lists",
    title: "null in place of a list is read as an empty one",
    verifies: ["WIRE-03"],
    async run(context) {
      const { peer } = await context.ready();
      await context.newSession(peer);
      const answer = await peer.request("session/new", { cwd: context.files.cwd, mcpServers: null });
      if (!answer.error) return;
      context.fail({
        requirement: "WIRE-03",
        sent: "session/new with mcpServers null",
        received: `the error ${shown(answer.error)}`,
        explanation:
          "The schema lets a receiver read null as an empty list here (x-deserialize-default-on-null): the request should succeed.",
        where: peer.at(answer.seq),
      });
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
      const answer = await peer.request(
        "session/prompt",
        { sessionId, prompt: [{ type: "text", text: "hello" }] },
        { timeoutMs: context.options.turnMs },
      );
      if (answer.error?.code === -32002 && member(answer.error, "data", "sessionId") === sessionId) return;
      context.fail({
        requirement: "SESS-31",
        sent: `session/prompt with the sessionId ${shown(sessionId)}`,
        received: answer.error ? `the error ${shown(answer.error)}` : `the result ${shown(answer.result)}`,
        explanation: "A session that isn't active on the connection should get the error -32002 with data.sessionId.",
        where: peer.at(answer.seq),
      });
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
        context.skip("the agent asked for a path that isn't absolute, which is a rule of its own");
      }
      context.fail({
        requirement: "SESS-09",
        sent: `a prompt to write conformance-relative.txt in a session whose cwd is ${cwd}`,
        received: strayed ? `the file ${elsewhere}` : `fs/write_text_file with ${shown(wrote?.params)}`,
        explanation: "The cwd of the session is the base of relative paths, not the directory of the process.",
        where: agent.peer.at(turn.asked.seq, ...(wrote ? [wrote.seq] : [])),
      });
    },
  }),
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
          ({ update }) => history.has(String(update.sessionUpdate)) && update.sessionUpdate !== "user_message_chunk",
        );
      const { session, answer, since } = await reopen(context, old, "session/load");
      const where = session.peer.at(since, answer.seq);
      const sent = "session/load of a session with one turn";
      if (answer.error) {
        context.fail({
          requirement: "SESS-14",
          sent: `${sent}, in a new process and in the one that has it`,
          received: `the error ${shown(answer.error)}`,
          explanation: "An agent that advertises loadSession loads its sessions.",
          where,
        });
      }
      // The page on sessions shows null here, the schema an object.
      if (!isObject(answer.result) && answer.result !== null) {
        context.note({
          requirement: "SESS-17",
          sent,
          received: `the result ${shown(answer.result)}`,
          explanation: "The result is an object, {} at least.",
          where,
        });
      }
      await session.peer.fence();
      await session.peer.quiet(context.options.quietMs);
      const replayed = context
        .updates(session, since)
        .filter(({ update }) => history.has(String(update.sessionUpdate)));
      const late = replayed.find(({ seq }) => seq > answer.seq);
      if (late) {
        context.note({
          requirement: "SESS-15",
          sent,
          received: `${shown(late.update)} after the response`,
          explanation: "The response comes after the last entry of the history.",
          where: session.peer.at(answer.seq, late.seq),
        });
      }
      const kinds = replayed.map(({ update }) => String(update.sessionUpdate));
      const said = replayed
        .filter(({ update }) => update.sessionUpdate === "user_message_chunk")
        .map(({ update }) => textOf(member(update.content, "text")) ?? "")
        .join("");
      const user = kinds.indexOf("user_message_chunk");
      if (replayed.length === 0 || (spoke && !kinds.some((kind) => kind !== "user_message_chunk"))) {
        context.fail({
          requirement: "SESS-14",
          sent,
          received: replayed.length === 0 ? "no history" : "a history without the agent's messages",
          explanation: "On load the agent replays the whole conversation as session/update notifications.",
          where,
        });
      }
      if (
        user === -1 ||
        !said.includes(text.trim()) ||
        kinds.slice(0, user).some((kind) => kind !== "user_message_chunk")
      ) {
        context.note({
          requirement: "SESS-16",
          sent,
          received: `a history of ${shown(kinds)}, in which the user says ${shown(said)}`,
          explanation: "The user's messages come as user_message_chunk, before the agent's replies.",
          where,
        });
      }
      const turn = context.prompt(session, text);
      const next = await context.endOf(session, turn);
      if (!next.error) return;
      context.fail({
        requirement: "SESS-18",
        sent: "a prompt in a session that was loaded",
        received: `the error ${shown(next.error)}`,
        explanation: "After loading, the conversation continues.",
        where: session.peer.at(turn.asked.seq, next.seq),
      });
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
      const answer = await agent.peer.request("session/load", { sessionId, cwd: context.files.cwd, mcpServers: [] });
      if (answer.error?.code === -32002) return;
      context.fail({
        requirement: "SESS-31",
        sent: "session/load of a session that doesn't exist",
        received: answer.error ? `the error ${shown(answer.error)}` : `the result ${shown(answer.result)}`,
        explanation: "A session that does not exist gets the error -32002 (resource not found).",
        where: agent.peer.at(answer.seq),
      });
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
      const { session, answer, since } = await reopen(context, old, "session/resume");
      if (answer.error) {
        context.fail({
          requirement: "SESS-24",
          sent: "session/resume of a session with one turn, in a new process and in the one that has it",
          received: `the error ${shown(answer.error)}`,
          explanation: "An agent that advertises sessionCapabilities.resume resumes its sessions.",
          where: session.peer.at(since, answer.seq),
        });
      }
      const replayed = context.updates(session, since).find(({ update }) => history.has(String(update.sessionUpdate)));
      if (replayed && replayed.seq < answer.seq) {
        context.note({
          requirement: "SESS-23",
          sent: "session/resume",
          received: `${shown(replayed.update)} before the response`,
          explanation:
            "The agent restores the conversation on session/resume and sends none of it; session/load replays.",
          where: session.peer.at(since, replayed.seq),
        });
      }
      const turn = context.prompt(session, context.text("text"));
      const next = await context.endOf(session, turn);
      if (!next.error) return;
      context.fail({
        requirement: "SESS-24",
        sent: "a prompt in a session that was resumed",
        received: `the error ${shown(next.error)}`,
        explanation: "The response says that the session is ready for prompts.",
        where: session.peer.at(turn.asked.seq, next.seq),
      });
    },
  }),
  agentScenario({
    id: "session/close",
    title: "The result of closing a session is an object, and the session is no longer active",
    verifies: ["SESS-28", "SESS-30", "SESS-31"],
    needs: ["agentCapabilities.sessionCapabilities.close"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      const closed = await session.peer.request("session/close", { sessionId: session.id });
      if (!isObject(closed.result)) {
        context.fail({
          requirement: "SESS-28",
          sent: "session/close",
          received: closed.error ? `the error ${shown(closed.error)}` : `the result ${shown(closed.result)}`,
          explanation: "The result of session/close is an object, {} at least.",
          where: session.peer.at(closed.seq),
        });
      }
      const turn = context.prompt(session, context.options.prompts.text ?? "hello");
      const answer = await context.endOf(session, turn);
      if (answer.error) return;
      context.fail({
        requirement: "SESS-30",
        sent: "a prompt in a session that was closed",
        received: `the result ${shown(answer.result)}`,
        explanation: "A closed session isn't active on the connection: it has to be loaded or resumed first.",
        where: session.peer.at(closed.seq, turn.asked.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "session/close-running",
    title: "Closing a session cancels its turn first",
    verifies: ["SESS-27"],
    basis: "cancel/running-turn",
    needs: ["agentCapabilities.sessionCapabilities.close", "prompt: long"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "close");
      const turn = context.prompt(session, context.text("long"));
      await context.updateOf(session, turn, () => true);
      const closing = session.peer.ask("session/close", { sessionId: session.id });
      const closed = await session.peer.answerTo(closing, context.options.turnMs);
      const answer = await session.peer.answerTo(turn.asked, context.options.turnMs, "SESS-27");
      if (answer.seq < closing.seq) context.skip("the turn that should last ended before the session was closed");
      if (member(answer.result, "stopReason") === "cancelled") return;
      context.fail({
        requirement: "SESS-27",
        sent: "session/close while a turn was running",
        received: answer.error
          ? `the prompt's error ${shown(answer.error)}`
          : `the prompt's result ${shown(answer.result)}`,
        explanation: "Closing cancels the running turn as session/cancel does: the prompt's stop reason is cancelled.",
        where: session.peer.at(turn.asked.seq, closed.seq, answer.seq),
      });
    },
  }),
  agentScenario({
    id: "session/additional-directories",
    title: "Additional directories that are not a list of absolute paths are refused, others accepted",
    verifies: ["DIR-03"],
    needs: ["agentCapabilities.sessionCapabilities.additionalDirectories"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "sessionCapabilities", "additionalDirectories");
      const directory = await context.files.makeDirectory("further");
      await context.newSession(agent.peer, { additionalDirectories: [directory] });
      for (const additionalDirectories of [["relative"], [""], [1], "no list"]) {
        const params = { cwd: context.files.cwd, mcpServers: [], additionalDirectories };
        const answer = await agent.peer.request("session/new", params);
        if (answer.error) continue;
        context.note({
          requirement: "DIR-03",
          sent: `session/new with additionalDirectories ${shown(additionalDirectories)}`,
          received: `the result ${shown(answer.result)}`,
          explanation: "Each entry is an absolute path; anything else is refused before a session exists.",
          where: agent.peer.at(answer.seq),
        });
      }
    },
  }),
  agentScenario({
    id: "session/list",
    title: "The list has the sessions of a directory, and only those",
    verifies: ["LIST-02", "LIST-04", "LIST-05", "LIST-14", "RPC-11"],
    needs: ["agentCapabilities.sessionCapabilities.list", "prompt: text"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "list");
      await context.turn(session, context.text("text"));
      const other = await context.newSession(session.peer, { cwd: await context.files.makeDirectory("elsewhere") });
      await context.turn(other, context.text("text"));
      const seen = new Map<string, number>();
      let cursor: unknown;
      for (let page = 0; page < 20; page++) {
        const answer = await session.peer.request("session/list", {
          cwd: context.files.cwd,
          ...(cursor !== undefined && { cursor }),
        });
        listOf(context, session, answer);
        for (const { sessionId, cwd } of objectsIn(member(answer.result, "sessions"))) {
          seen.set(String(sessionId), (seen.get(String(sessionId)) ?? 0) + 1);
          if (cwd === context.files.cwd) continue;
          context.fail({
            requirement: "LIST-04",
            sent: `session/list with cwd ${context.files.cwd}`,
            received: `a session with cwd ${shown(cwd)}`,
            explanation: "With cwd, only sessions of that directory are listed.",
            where: session.peer.at(answer.seq),
          });
        }
        cursor = member(answer.result, "nextCursor") ?? undefined;
        if (cursor === undefined) break;
      }
      if ([...seen.values()].some((times) => times > 1)) {
        context.note({
          requirement: "LIST-14",
          sent: "session/list, page after page",
          received: "a session on two pages",
          explanation: "The pages together have each session once.",
        });
      }
      if (!seen.has(session.id)) {
        context.note({
          requirement: "LIST-14",
          sent: `session/list with cwd ${context.files.cwd}`,
          received: `a list without the session ${session.id}, which was created there and has had a turn`,
          explanation: "The pages together have each session of that directory.",
        });
      }
      const empty = await session.peer.request("session/list", { cwd: "/conformance/no/such/directory" });
      listOf(context, session, empty);
      const withoutParams = await session.peer.request("session/list");
      listOf(context, session, withoutParams, "RPC-11");
      listOf(context, session, await session.peer.request("session/list", { cwd: null, cursor: null }), "LIST-02");
    },
  }),
  agentScenario({
    id: "session/list-bad-cursor",
    title: "A cursor that the agent didn't give is an error",
    verifies: ["LIST-10"],
    needs: ["agentCapabilities.sessionCapabilities.list"],
    async run(context) {
      const agent = await context.ready();
      needsCapability(context, agent, "sessionCapabilities", "list");
      const answer = await agent.peer.request("session/list", { cursor: "conformance: no such cursor" });
      if (answer.error) return;
      context.fail({
        requirement: "LIST-10",
        sent: "session/list with a cursor that the agent never gave",
        received: `the result ${shown(answer.result)}`,
        explanation: "An invalid cursor should be an error (-32602).",
        where: agent.peer.at(answer.seq),
      });
    },
  }),
  agentScenario({
    id: "session/delete",
    title: "A deleted session is gone from the list, and deleting it again succeeds",
    verifies: ["DEL-02", "DEL-03", "DEL-04"],
    needs: ["agentCapabilities.sessionCapabilities.delete"],
    async run(context) {
      const session = await context.openSession();
      needsCapability(context, session, "sessionCapabilities", "delete");
      const { text } = context.options.prompts;
      if (text !== undefined) await context.turn(session, text);
      const { peer } = session;
      const remove = (sessionId: string): Promise<Answer> => peer.request("session/delete", { sessionId });
      const deleted = await remove(session.id);
      if (!isObject(deleted.result)) {
        context.fail({
          requirement: "DEL-02",
          sent: "session/delete",
          received: deleted.error ? `the error ${shown(deleted.error)}` : `the result ${shown(deleted.result)}`,
          explanation: "The result is an object, {} at least.",
          where: peer.at(deleted.seq),
        });
      }
      if (offers(session, "sessionCapabilities", "list")) {
        const list = await peer.request("session/list", { cwd: context.files.cwd });
        if (objectsIn(member(list.result, "sessions")).some(({ sessionId }) => sessionId === session.id)) {
          context.note({
            requirement: "DEL-03",
            sent: "session/delete, then session/list",
            received: "a list with the deleted session",
            explanation: "A deleted session doesn't appear in session/list any more.",
            where: peer.at(deleted.seq, list.seq),
          });
        }
      }
      for (const sessionId of [session.id, "00000000-0000-4000-8000-000000000000"]) {
        const again = await remove(sessionId);
        if (!again.error) continue;
        context.note({
          requirement: "DEL-04",
          sent: "session/delete of a session that is gone, or never was",
          received: `the error ${shown(again.error)}`,
          explanation: "Deleting a missing session should succeed silently.",
          where: peer.at(again.seq),
        });
      }
    },
  }),
  agentScenario({
    id: "session/mcp-server",
    title: "The agent connects to an MCP server on stdio",
    verifies: ["MCP-02"],
    needs: ["prompt: text"],
    async run(context) {
      const logPath = context.files.join(context.files.cwd, "mcp-server.log");
      const server = context.files.mcpServer?.(logPath);
      if (!server) context.skip("there is no way to start an MCP server here");
      const agent = await context.ready();
      const mcpServers = [{ name: "conformance", ...server, env: [{ name: "CONFORMANCE", value: "yes" }] }];
      const session = await context.newSession(agent.peer, { mcpServers });
      await context.turn(session, context.text("text"));
      const log = await waitFor(async () => {
        const text = await context.files.read(logPath);
        return text?.includes('"initialize"') === true ? text : undefined;
      }, context.options.answerMs / 4);
      if (log) return;
      const started = (await context.files.read(logPath)) !== undefined;
      context.fail({
        requirement: "MCP-02",
        sent: "session/new with an MCP server on stdio, and then a prompt",
        received: started ? "a start of the server, but no MCP initialize" : "no start of the server",
        explanation: "Every agent can connect to MCP servers on stdio.",
      });
    },
  }),
];

function listOf(context: AgentContext, session: TestSession, answer: Answer, requirement = "LIST-05"): void {
  const sessions = member(answer.result, "sessions");
  if (Array.isArray(sessions) && objectsIn(sessions).every(({ cwd }) => isAbsolutePath(cwd))) return;
  context.fail({
    requirement,
    sent: "session/list",
    received: answer.error ? `the error ${shown(answer.error)}` : `the result ${shown(answer.result)}`,
    explanation: "The result has sessions, an array, empty when nothing matches; all params are optional.",
    where: session.peer.at(answer.seq),
  });
}

async function waitFor<T>(look: () => Promise<T | undefined>, timeoutMs: number): Promise<T | undefined> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await look();
    if (found !== undefined || performance.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
