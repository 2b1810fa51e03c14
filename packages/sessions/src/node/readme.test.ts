import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { linkedTransports } from "@acp-kit/agent";
import { Peer, type V1ClientCalls, v1Client } from "@acp-kit/protocol";
import { expect, test } from "vitest";
import { rememberingAgent } from "./readme.examples.js";

test("the agent of the README remembers a session, also in the next process", async () => {
  const folder = mkdtempSync(join(tmpdir(), "acp-kit-readme-"));
  const path = join(folder, "sessions.sqlite");
  const heard: string[] = [];
  const connect = async (): Promise<Peer<V1ClientCalls>> => {
    const [agentSide, clientSide] = linkedTransports();
    rememberingAgent(path).connect(agentSide);
    const peer: Peer<V1ClientCalls> = new Peer(clientSide, v1Client, {});
    peer.handleNotification(
      "session/update",
      ({ update }) => void heard.push((update as { content: { text: string } }).content.text),
    );
    peer.connection.listen();
    const { agentCapabilities } = await peer.request("initialize", { protocolVersion: 1 });
    peer.setAgreement({ protocolVersion: 1, capabilities: agentCapabilities });
    return peer;
  };
  const say = (peer: Peer<V1ClientCalls>, sessionId: string, text: string) =>
    peer.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  const where = { cwd: folder, mcpServers: [] };
  try {
    const before = await connect();
    const { sessionId } = await before.request("session/new", where);
    await say(before, sessionId, "one");
    await before.connection.close();
    const after = await connect();
    await after.request("session/load", { sessionId, ...where });
    await say(after, sessionId, "two");
    await after.connection.close();
    expect(heard).toEqual(["You have said 1 things.", "one", "You have said 1 things.", "You have said 2 things."]);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
