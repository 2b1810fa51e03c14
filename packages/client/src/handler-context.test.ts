import { isRpcError, linkedTransports, Peer, type V1AgentCalls, v1Agent } from "@acp-kit/protocol";
import { afterEach, describe, expect, it } from "vitest";
import type { ClientContext } from "./client-context.js";
import { connectAgent } from "./connect-agent.js";
import type { ConnectAgentOptions } from "./connect-options.js";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** A client, and a bare peer as its agent. */
async function connect(options: ConnectAgentOptions, onLoad?: () => Promise<unknown>) {
  const [agentSide, clientSide] = linkedTransports();
  const peer = new Peer<V1AgentCalls>(agentSide, v1Agent);
  let advertised: unknown;
  let sessions = 0;
  peer.handle("initialize", ({ clientCapabilities }) => {
    advertised = clientCapabilities;
    peer.setAgreement({ protocolVersion: 1, capabilities: clientCapabilities });
    const sessionCapabilities = { additionalDirectories: {}, close: {} };
    return { protocolVersion: 1, agentCapabilities: { loadSession: true, sessionCapabilities } };
  });
  peer.handle("session/new", () => ({ sessionId: `s${++sessions}` }));
  peer.handle("session/load", async () => {
    await onLoad?.();
    return {};
  });
  peer.handle("session/close", () => ({}));
  peer.connection.listen();
  const client = await connectAgent(clientSide, options);
  open.push(client, peer.connection);
  return { client, peer, advertised };
}

/** File handlers that record their contexts. */
function noting() {
  const contexts: ClientContext[] = [];
  return {
    contexts,
    files: {
      readTextFile: (_: unknown, context: ClientContext) => {
        contexts.push(context);
        return { content: context.session?.roots.join() ?? "unknown" };
      },
    },
  };
}

describe("a handler", () => {
  it("has the roots of its session, even while the session is being loaded", async () => {
    const { files } = noting();
    const loading = { sessionId: "old", path: "/a" };
    let whileLoading: unknown;
    const { client, peer } = await connect({ files }, async () => {
      whileLoading = await peer.request("fs/read_text_file", loading);
    });
    const setup = { cwd: "/work", additionalDirectories: ["/more"] };
    const session = await client.newSession(setup);
    expect(session.roots).toEqual(["/work", "/more"]);
    await client.loadSession({ sessionId: "old", ...setup });
    expect(whileLoading).toEqual({ content: "/work,/more" });
    expect(await peer.request("fs/read_text_file", { sessionId: "none", path: "/a" })).toEqual({ content: "unknown" });
    await session.close();
    expect(session.roots).toEqual([]);
  });

  it("has a signal that aborts when its session is closed, and not before", async () => {
    const { files, contexts } = noting();
    const { client, peer } = await connect({ files });
    const [one, two] = [await client.newSession({ cwd: "/one" }), await client.newSession({ cwd: "/two" })];
    for (const { sessionId } of [one, two]) await peer.request("fs/read_text_file", { sessionId, path: "/a" });
    const signals = contexts.map(({ sessionSignal }) => sessionSignal);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, false]);
    await one.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    await client.close();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it("has one signal for all unknown sessions, which aborts with the connection", async () => {
    const { files, contexts } = noting();
    const { client, peer } = await connect({ files });
    for (const sessionId of ["made", "up"]) await peer.request("fs/read_text_file", { sessionId, path: "/a" });
    const [one, two] = contexts.map(({ sessionSignal }) => sessionSignal);
    expect(one).toBe(two);
    expect(one?.aborted).toBe(false);
    await client.close();
    expect(one?.aborted).toBe(true);
  });

  it("has a signal that aborts when the agent disconnects", async () => {
    const { files, contexts } = noting();
    const { client, peer } = await connect({ files });
    const { sessionId } = await client.newSession({ cwd: "/one" });
    await peer.request("fs/read_text_file", { sessionId, path: "/a" });
    const signal = contexts[0]?.sessionSignal;
    await peer.connection.close();
    await client.closed;
    expect(signal?.aborted).toBe(true);
  });
});

describe("deleting and renaming files", () => {
  it("is advertised if there are handlers, which receive the params and the session", async () => {
    const seen: unknown[] = [];
    const { client, peer, advertised } = await connect({
      files: {
        deleteFile: ({ path }, { session }) => void seen.push(["delete", path, session?.sessionId]),
        renameFile: async ({ path, targetPath }) => void seen.push(["rename", path, targetPath]),
      },
    });
    expect(advertised).toMatchObject({ fs: { readTextFile: false, deleteFile: true, renameFile: true } });
    const { sessionId } = await client.newSession({ cwd: "/work" });
    expect(await peer.extensionRequest("fs/delete_file", { sessionId, path: "/a" })).toEqual({});
    await peer.extensionRequest("fs/rename_file", { sessionId, path: "/a", targetPath: "/b" });
    expect(seen).toEqual([
      ["delete", "/a", sessionId],
      ["rename", "/a", "/b"],
    ]);
    const wrong = await peer.extensionRequest("fs/rename_file", { sessionId, path: "/a" }).catch((error) => error);
    expect(isRpcError(wrong) && wrong.code).toBe(-32602);
  });

  it("is not available otherwise: no capability, no method, and nothing is sent", async () => {
    const { peer, advertised } = await connect({ files: {} });
    expect(advertised).toMatchObject({ fs: { readTextFile: false, writeTextFile: false } });
    expect((advertised as { fs: object }).fs).not.toHaveProperty("deleteFile");
    await expect(peer.extensionRequest("fs/delete_file", { sessionId: "s", path: "/a" })).rejects.toMatchObject({
      name: "CapabilityError",
      capability: "clientCapabilities.fs.deleteFile",
    });
    await expect(peer.connection.request("fs/delete_file", {})).rejects.toMatchObject({ code: -32601 });
  });
});
