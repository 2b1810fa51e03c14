import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AgentOptions } from "@acp-kit/agent";
import { linkedTransports } from "@acp-kit/protocol";
import type { NodeTransportOptions } from "@acp-kit/stdio/node";
import { allClientCapabilities } from "@acp-kit/testing";
import { rawNodeTransport } from "@acp-kit/testing/node";
import { type TransportKind, throughStreams } from "./connect.js";
import { startFixtureAgent } from "./fixture-agent.js";
import { program } from "./program.js";
import { RawPeer } from "./raw-peer.js";
import { isProfile, openRemote, type Profile } from "./remote.js";

/** A client whose messages the test sends itself, connected to the fixture agent. */
export interface RawClient extends AsyncDisposable {
  readonly peer: RawPeer;
  /** The output of the agent that is not JSON-RPC: lines of stdout that are not JSON, and all of stderr. */
  noise(): unknown[];
  /** Stops reading the agent's messages. Returns a function that continues. */
  pause(): () => void;
  /** Ends the client's output. If the transport supports it (a process), the agent's messages are still received. */
  end(): void;
  /** Disconnects immediately. */
  vanish(): void;
  /** Resolves when the agent's side has ended. */
  readonly ended: Promise<unknown>;
  /** Writes raw text. Only a process supports this. */
  write(text: string): void;
}

/** Starts the fixture agent for a client that the test controls. Transport options are for a process only. */
export async function rawClient(
  kind: TransportKind,
  options: AgentOptions = {},
  transportOptions: NodeTransportOptions = {},
): Promise<RawClient> {
  if (isProfile(kind)) return overNetwork(kind, options);
  return kind === "a child process" ? agentProcess(options, transportOptions) : inProcess(kind, options);
}

/** Starts the fixture agent, initializes the connection and creates the session `session-1`. */
export async function rawClientWithSession(...how: Parameters<typeof rawClient>): Promise<RawClient> {
  const client = await rawClient(...how);
  await client.peer.request("initialize", { protocolVersion: 1, clientCapabilities: allClientCapabilities });
  await client.peer.request("session/new", { cwd: "/work", mcpServers: [] });
  return client;
}

/** Returns the params of a prompt for the fixture agent. */
export const promptOf = (text: string, sessionId = "session-1"): object => ({
  sessionId,
  prompt: [{ type: "text", text }],
});

function inProcess(kind: TransportKind, options: AgentOptions): RawClient {
  const [ours, theirs] = linkedTransports();
  const agent = startFixtureAgent(kind === "web streams" ? throughStreams(theirs) : theirs, options);
  const peer = new RawPeer();
  peer.connect(ours);
  return {
    peer,
    noise: () => [],
    pause() {
      ours.pause();
      return () => ours.resume();
    },
    end: () => void ours.close(),
    vanish: () => ours.break(new Error("cable cut")),
    ended: agent.closed,
    write() {
      throw new TypeError("Linked transports carry values, not text");
    },
    async [Symbol.asyncDispose]() {
      await peer.close();
      await agent.close();
    },
  };
}

async function overNetwork(profile: Profile, options: AgentOptions): Promise<RawClient> {
  let agentClosed = (_reason: unknown): void => {};
  const ended = new Promise<unknown>((resolve) => {
    agentClosed = resolve;
  });
  const remote = await openRemote(profile, {
    connect(transport) {
      const agent = startFixtureAgent(transport, options);
      void agent.closed.then(agentClosed);
      return agent;
    },
  });
  const { transport, cable } = remote;
  const peer = new RawPeer();
  peer.connect(transport);
  return {
    peer,
    noise: () => [],
    pause() {
      transport.pause();
      return () => transport.resume();
    },
    end: () => void transport.close(),
    vanish: () => cable.cut(),
    ended,
    write() {
      throw new TypeError("Remote transports carry values, not text");
    },
    [Symbol.asyncDispose]: () => remote[Symbol.asyncDispose](),
  };
}

async function agentProcess(options: AgentOptions, transportOptions: NodeTransportOptions): Promise<RawClient> {
  const path = await program(new URL("./agent-process.ts", import.meta.url));
  const args = [path, JSON.stringify(options), JSON.stringify(transportOptions)];
  const child = spawn(process.execPath, args);
  const exit = once(child, "exit");
  const errors: unknown[] = [];
  child.stderr.setEncoding("utf8").on("data", (text) => errors.push(text));
  const transport = rawNodeTransport(child.stdout, child.stdin);
  const peer = new RawPeer();
  peer.connect(transport);
  return {
    peer,
    noise: () => [...errors, ...peer.unreadable],
    pause() {
      transport.pause();
      return () => transport.resume();
    },
    end: () => void child.stdin.end(),
    vanish() {
      child.stdin.destroy();
      child.stdout.destroy();
    },
    ended: exit,
    write: (text) => void child.stdin.write(text),
    async [Symbol.asyncDispose]() {
      child.stdin.end();
      await exit;
    },
  };
}
