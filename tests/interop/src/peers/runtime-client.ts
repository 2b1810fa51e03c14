// The client program for each runtime: Bun, Deno, Node, workers.
import { connectAgent } from "@acp-kit/client";
import type { HttpAgentOptions, RemoteAgent } from "@acp-kit/http";

/** Creates the transport to an agent in a runtime. */
export type Connect = (url: string, options: HttpAgentOptions) => RemoteAgent;

/** The agent to control, and how to reach it. */
export interface RuntimeTask {
  readonly profile: string;
  readonly url: string;
  readonly token: string;
}

/** The results of a task, in the order of the turns. */
export interface RuntimeOutcome {
  readonly agent: string | undefined;
  /** The number of updates in the streams of the turns. */
  readonly streamed: number;
  readonly permissions: readonly string[];
  readonly stopReasons: readonly string[];
  /** The number of replayed updates before the load was finished. */
  readonly replayed: number;
}

/** Streams updates, answers a permission request, receives a large message, cancels a turn, and loads a session. */
export async function play({ url, token }: RuntimeTask, connect: Connect): Promise<RuntimeOutcome> {
  const permissions: string[] = [];
  await using agent = await connectAgent(connect(url, { token }), {
    permissions: async ({ toolCall }) => {
      permissions.push(toolCall.toolCallId);
      return "allow_once";
    },
  });
  const session = await agent.newSession({ cwd: "/work" });
  let streamed = 0;
  const stopReasons: string[] = [];
  for (const text of ["/stream", "/permission", "/big 2000"]) {
    const turn = session.prompt(text);
    for await (const _ of turn) streamed += 1;
    stopReasons.push((await turn.result).stopReason);
  }
  const slow = session.prompt("/slow 60");
  for await (const _ of slow) slow.cancel();
  stopReasons.push((await slow.result).stopReason);
  let replayed = 0;
  await agent.loadSession({ sessionId: session.sessionId, cwd: "/work" }, { onUpdate: () => void replayed++ });
  return { agent: agent.info?.name, streamed, permissions, stopReasons, replayed };
}
