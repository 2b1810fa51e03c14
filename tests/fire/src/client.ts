import { type AgentConnection, connectAgent, type Session } from "@acp-kit/client";
import { httpAgent, webSocketAgent } from "@acp-kit/http/node";
import { v2 } from "@acp-kit/v2/client";
import { isFull } from "./counts.js";
import type { ServerHome } from "./served.js";

/** The transport of a client, and whether it also speaks version 2 of the protocol. */
export type Profile = "http" | "ws" | "http in version 2" | "ws in version 2";

export const allProfiles: readonly Profile[] = ["ws", "http", "ws in version 2", "http in version 2"];

/** The profiles of a test that runs once for each: a usual run has each transport and each version once. */
export const someProfiles: readonly Profile[] = isFull ? allProfiles : ["http", "ws in version 2"];

/** A client that records the received text. */
export interface FireClient extends AsyncDisposable {
  readonly agent: AgentConnection;
  /** Returns the text of the agent's messages since the last call. */
  take(): string;
  /** Creates a session. With an id, loads that session with its history. */
  open(sessionId?: string): Promise<Session>;
  /** Resolves when a number of characters has arrived since the last `take`. */
  until(characters: number): Promise<void>;
}

/** Connects to the server of a home, at its port or at the port of a proxy. */
export async function fireClient(place: ServerHome, profile: Profile = "http", port = place.port): Promise<FireClient> {
  const { token, work } = place;
  const source = profile.startsWith("http")
    ? httpAgent(`http://127.0.0.1:${port}/acp`, { token })
    : webSocketAgent(`ws://127.0.0.1:${port}/acp`, { token });
  const info = { name: "fire", version: "1" };
  const agent = await connectAgent(source, profile.endsWith("version 2") ? { info, versions: [v2] } : {});
  let text = "";
  const waiting = new Set<() => void>();
  const onUpdate = (update: { readonly sessionUpdate: string; readonly content?: unknown }): void => {
    const { type, text: more } = (update.content ?? {}) as { readonly type?: string; readonly text?: string };
    if (update.sessionUpdate !== "agent_message_chunk" || type !== "text") return;
    text += more ?? "";
    for (const look of waiting) look();
  };
  return {
    agent,
    take() {
      const taken = text;
      text = "";
      return taken;
    },
    open: (sessionId) =>
      sessionId === undefined
        ? agent.newSession({ cwd: work }, { onUpdate })
        : agent.loadSession({ sessionId, cwd: work }, { onUpdate }),
    until: (characters) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (text.length < characters) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: () => agent.close(),
  };
}
