import { type AgentConnection, isNotFound, type UpdateListener } from "@acp-kit/client";
import type { SessionInfo } from "@acp-kit/types";
import { connect } from "./connect.js";
import { Conversation } from "./conversation.js";
import { type Stage, timed } from "./stage.js";
import { dim, green } from "./style.js";

/** Starts another process of the same agent, finds the session in its list, and loads the session. */
export async function reload(stage: Stage, sessionId: string): Promise<void> {
  const { screen, witness } = stage;
  screen.heading("The session again, in another process");
  witness.take();
  const { agent, pid } = await timed(stage, "start and initialize again", () => connect(stage));
  await using connection = agent;
  screen.row("agent", `process ${pid}`);
  await list(stage, connection, sessionId);
  await load(stage, connection, sessionId);
}

async function list(stage: Stage, agent: AgentConnection, sessionId: string): Promise<void> {
  const { screen, checks, cwd, everything } = stage;
  if (!agent.offers("agentCapabilities.sessionCapabilities.list")) return skip(stage, "session/list");
  const sessions: SessionInfo[] = [];
  await timed(stage, "session/list", async () => {
    for await (const session of agent.listSessions({ cwd })) sessions.push(session);
  });
  for (const { sessionId, title, updatedAt } of sessions.slice(0, 5)) {
    screen.row("listed", `${sessionId}  ${title ?? "(no title)"}  ${updatedAt ?? ""}`);
  }
  const found = sessions.find((session) => session.sessionId === sessionId);
  if (!everything) return;
  checks.equal(sessions.length, 1, "the number of sessions in the list");
  checks.equal(found?.title, "/plan", "the title of the session in the list");
}

async function load(stage: Stage, agent: AgentConnection, sessionId: string): Promise<void> {
  const { screen, checks, cwd, everything, live, witness } = stage;
  if (!agent.offers("agentCapabilities.loadSession")) return skip(stage, "session/load");
  const again = new Conversation();
  let replayed = 0;
  const onUpdate: UpdateListener = (update, context) => {
    again.add(update);
    if (context.replayed) replayed += 1;
  };
  const loading = timed(stage, "session/load", () => agent.loadSession({ sessionId, cwd }, { onUpdate }));
  const session = await loading.catch((error: unknown) => {
    if (everything || !isNotFound(error)) throw error; // other agents may keep sessions only as long as they run
  });
  if (session === undefined) return skip(stage, "sessions that outlive its process");
  const events = witness.take();
  screen.row("loaded", `${replayed} updates, all of them before the response of session/load`, green);
  checks.that(replayed > 0, "session/load replayed nothing");
  checks.that(events.includes("user_message_chunk"), "session/load did not replay the user's prompts");
  if (!everything) return;
  checks.equal(again.summary, live.summary, "the replayed conversation");
  checks.equal(again.twice, [], "tool calls that were replayed twice");
  checks.equal(replayed, events.length, "updates that came with the replay");
  checks.equal(session.origin, "loaded", "how the session was opened");
  checks.equal(session.options.snapshot.length, 4, "the options of the loaded session");
}

function skip({ screen, skipped }: Stage, what: string): void {
  skipped.push(what);
  screen.row("skipped", `this agent does not offer ${what}`, dim);
}
