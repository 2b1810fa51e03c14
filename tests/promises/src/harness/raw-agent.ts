import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type AgentConnection, type ConnectAgentOptions, connectAgent } from "@acp-kit/client";
import type { ServedAgentConnection } from "@acp-kit/http";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { linkedTransports, type Transport } from "@acp-kit/protocol";
import { type NodeTransportOptions, nodeTransport } from "@acp-kit/stdio/node";
import { allAgentCapabilities, type RawTransport } from "@acp-kit/testing";
import { type TransportKind, throughStreams } from "./connect.js";
import { program } from "./program.js";
import type { PuppetOrder } from "./puppet-process.js";
import { RawPeer } from "./raw-peer.js";
import { isProfile, openRemote, type Profile } from "./remote.js";

/** An agent whose messages the test sends itself. */
export interface RawAgent extends AsyncDisposable {
  readonly peer: RawPeer;
  /** The client's end. */
  readonly transport: Transport;
  /** Ends in one of the {@link waysToDie} of its transport. */
  die(way: string): void;
  /** Writes raw text. Only a process supports this. */
  write(text: string): void;
  /** For a remote transport: resolves when the agent notices that the client has disconnected. */
  readonly abandoned?: Promise<void>;
}

/** The ways in which the agent's side can end, by transport. */
export const waysToDie: Readonly<Record<TransportKind, readonly string[]>> = {
  "linked transports": ["ends", "breaks"],
  "web streams": ["ends", "breaks"],
  "streamable HTTP": ["ends", "breaks"],
  WebSocket: ["ends", "breaks"],
  "a child process": ["exits", "is killed", "dies in the middle of a line", "closes its output", "closes its input"],
};

/** Creates an agent that responds to `initialize` and `session/new`. The test sends everything else. */
export async function rawAgent(
  kind: TransportKind,
  options: NodeTransportOptions = {},
  initialized: object = { agentCapabilities: allAgentCapabilities },
): Promise<RawAgent> {
  const agent = await play(kind, options);
  agent.peer.answer("initialize", {
    protocolVersion: 1,
    authMethods: [{ id: "token", name: "Token" }],
    ...initialized,
  });
  agent.peer.answer("session/new", { sessionId: "s1" });
  return agent;
}

/** Connects a client to a {@link rawAgent}. */
export async function connectRaw(
  kind: TransportKind,
  options: ConnectAgentOptions = {},
  ...how: [NodeTransportOptions?, object?]
): Promise<RawAgent & { readonly client: AgentConnection }> {
  const agent = await rawAgent(kind, ...how);
  const client = await connectAgent(agent.transport, options);
  return {
    ...agent,
    client,
    async [Symbol.asyncDispose]() {
      await client.close();
      await agent[Symbol.asyncDispose]();
    },
  };
}

function play(kind: TransportKind, options: NodeTransportOptions): RawAgent | Promise<RawAgent> {
  if (isProfile(kind)) return served(kind);
  return kind === "a child process" ? puppet(options) : inProcess(kind);
}

const A_WEEK_MS = 604_800_000;

async function served(profile: Profile): Promise<RawAgent> {
  const peer = new RawPeer({ sessionStreams: profile === "streamable HTTP" });
  const abandoned = deferred();
  const connect = (transport: Transport): ServedAgentConnection => {
    const connection = peer.connect(transport);
    void connection.closed.then(() => abandoned.resolve());
    return connection;
  };
  // Tests with a fake clock advance it by a day while POSTs are pending. A busy machine takes long for thousands of
  // them.
  const client = { reconnectTimeoutMs: 0, responseTimeoutMs: A_WEEK_MS, closeTimeoutMs: A_WEEK_MS };
  const remote = await openRemote(profile, { connect }, { client });
  return {
    peer,
    transport: remote.transport,
    abandoned: abandoned.promise,
    die(way) {
      if (way === "breaks") remote.cable.cut();
      else void peer.close();
    },
    write() {
      throw new TypeError("Remote transports carry values, not text");
    },
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await peer.close();
    },
  };
}

function inProcess(kind: TransportKind): RawAgent {
  const [ours, theirs] = linkedTransports();
  const peer = new RawPeer();
  peer.connect(theirs);
  return {
    peer,
    transport: kind === "web streams" ? throughStreams(ours) : ours,
    die(way) {
      if (way === "breaks") theirs.break(new Error("cable cut"));
      else void peer.close();
    },
    write() {
      throw new TypeError("Linked transports carry values, not text");
    },
    [Symbol.asyncDispose]: () => peer.close(),
  };
}

async function puppet(options: NodeTransportOptions = {}): Promise<RawAgent> {
  const path = await program(new URL("./puppet-process.ts", import.meta.url));
  const child = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit", "ipc"] }) as ChildProcess & {
    stdin: NonNullable<ChildProcess["stdin"]>;
    stdout: NonNullable<ChildProcess["stdout"]>;
  };
  const exit = once(child, "exit");
  child.on("error", () => {}); // The process has ended.
  const order = (...orders: PuppetOrder[]): void => {
    for (const order of orders) if (child.connected) child.send(order);
  };
  const write = (text: string | Uint8Array): void =>
    order({ write: typeof text === "string" ? text : new TextDecoder().decode(text) });
  const peer = new RawPeer();
  const output: RawTransport = {
    full: undefined,
    start: ({ message }) => void child.on("message", (line: string) => message(JSON.parse(line), line.length)),
    send(message) {
      write(`${JSON.stringify(message)}\n`);
      return 0;
    },
    write,
    endOutput: () => order({ closeOutput: true }),
    break: () => void child.kill("SIGKILL"),
    pause() {},
    resume() {},
    async close() {
      child.kill("SIGKILL");
      await exit;
    },
  };
  peer.connect(output);
  return {
    peer,
    transport: nodeTransport(child.stdout, child.stdin, options),
    die(way) {
      if (way === "is killed") child.kill("SIGKILL");
      else if (way === "exits") order({ exit: 0 });
      else if (way === "dies in the middle of a line") order({ write: '{"jsonrpc":"2.0","id":1,"resu' }, { exit: 1 });
      else if (way === "closes its output") order({ closeOutput: true });
      else order({ closeInput: true });
    },
    write,
    [Symbol.asyncDispose]: () => peer.close(),
  };
}
