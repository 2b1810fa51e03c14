import { readFileSync } from "node:fs";
import { type Bridged, bridged, turn } from "./bridged.js";

type Json = Record<string, unknown>;

/** A recorded message of a client (`c2a`) or an agent (`a2c`). */
interface Recorded {
  readonly dir: "c2a" | "a2c" | "meta";
  readonly msg?: Json;
}

/**
 * Plays the agent of a recording of version 2 to a scripted client of version 1. The client sends what the recorded
 * client has sent, in the form of version 1.
 *
 * @returns the pair, and the recorded messages of the agent.
 */
export async function replayWire(file: string | URL): Promise<{ pair: Bridged; recorded: Json[]; prompts: unknown[] }> {
  const lines = readFileSync(file, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Recorded);
  const pair = bridged({ prefer: 2 });
  const { client, agent } = pair;
  const prompts: unknown[] = [];
  const recorded: Json[] = [];
  /** The requests of the recorded client, by id, with the id that the agent got from the bridge. */
  const requests = new Map<unknown, unknown>();
  for (const { dir, msg } of lines) {
    if (msg === undefined || dir === "meta") continue;
    if (dir === "a2c") {
      recorded.push(msg);
      // A response gets the id of the request as the bridge has sent it.
      if (!("method" in msg)) {
        if (requests.has(msg.id)) agent.send({ ...msg, id: requests.get(msg.id) });
      } else {
        if ("id" in msg) agent.request(msg.method as string, msg.params, { id: msg.id as never });
        else agent.send(msg);
      }
    } else if (!("method" in msg)) client.send(msg);
    else {
      const sent = asV1(msg);
      if (sent === undefined) continue;
      const before = agent.receivedSoFar().length;
      if ("id" in sent) client.request(sent.method as string, sent.params, { id: sent.id as never });
      else client.send(sent);
      await turn();
      if (sent.method === "session/prompt") prompts.push(sent.id);
      const received = agent
        .receivedSoFar()
        .slice(before)
        .find((message) => "method" in message);
      if (received !== undefined && "id" in sent) requests.set(sent.id, received.id);
    }
    await turn();
  }
  return { pair, recorded, prompts };
}

/** The request of version 1 that means the same, or `undefined` for what version 1 does not have. */
function asV1(message: Json): Json | undefined {
  const { method, params } = message as { method: string; params?: Json };
  switch (method) {
    case "initialize":
      return { ...message, params: { protocolVersion: 1, clientInfo: params?.info, clientCapabilities: {} } };
    case "session/new":
      return { ...message, params: { ...params, mcpServers: [] } };
    case "session/resume": {
      const { replayFrom, ...rest } = params as Json;
      const opened = { ...rest, mcpServers: [] };
      return { ...message, method: replayFrom ? "session/load" : method, params: opened };
    }
    case "session/set_config_option": {
      const { type, ...rest } = params as Json;
      return { ...message, params: type === "boolean" ? params : rest };
    }
    default:
      return method.startsWith("session/") || method.startsWith("$/") ? message : undefined;
  }
}

/** The text of all agent messages of a recording. */
export function textOf(messages: readonly Json[]): string {
  return messages
    .filter(({ method }) => method === "session/update")
    .map(({ params }) => (params as { update: Json }).update)
    .filter(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
    .map(({ content }) => (content as { text?: string }).text ?? "")
    .join("");
}
