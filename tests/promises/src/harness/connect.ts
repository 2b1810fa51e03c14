import type { AgentOptions } from "@acp-kit/agent";
import { type AgentConnection, type ConnectAgentOptions, connectAgent, extensionNotification } from "@acp-kit/client";
import {
  type Diagnostic,
  fromMessageStream,
  linkedTransports,
  type Transport,
  toMessageStream,
} from "@acp-kit/protocol";
import { spawnAgent } from "@acp-kit/stdio/node";
import { RELEASE, SAW, startFixtureAgent } from "./fixture-agent.js";
import { Log } from "./log.js";
import { program } from "./program.js";
import { isProfile, openRemote, profiles } from "./remote.js";
import { Wire } from "./wire.js";

/** The ways a client and an agent can be joined. Every promise holds over each of them. */
export const transports = ["linked transports", "web streams", "a child process", ...profiles] as const;
export type TransportKind = (typeof transports)[number];

/** A client connected to the fixture agent. */
export interface Pair extends AsyncDisposable {
  readonly client: AgentConnection;
  readonly wire: Wire;
  /** What the agent says it has seen. */
  readonly saw: Log<string>;
  /** The client's. */
  readonly diagnostics: Log<Diagnostic>;
  /** Lets a turn that was prompted with `hold <name>` go on. */
  release(name: string): void;
}

/** Connects a client to the fixture agent over one kind of transport. Agent options cross a process boundary: plain values only. */
export async function connect(
  kind: TransportKind,
  options: ConnectAgentOptions = {},
  agentOptions: AgentOptions = {},
): Promise<Pair> {
  const wire = new Wire();
  const saw = new Log<string>();
  const diagnostics = new Log<Diagnostic>();
  const { transport, ended } = await reach(kind, agentOptions);
  const client = await connectAgent(transport, {
    tap: wire.tap,
    onDiagnostic: diagnostics.push,
    ...options,
    extensions: { ...options.extensions, [SAW]: extensionNotification(words, ({ what }) => saw.push(what)) },
  });
  return {
    client,
    wire,
    saw,
    diagnostics,
    release: (name) => void client.extensionNotify(RELEASE, { name }),
    async [Symbol.asyncDispose]() {
      await client.close();
      await ended();
    },
  };
}

const words = {
  "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value: value as { what: string } }) },
} as const;

/** The client's end of a transport with the fixture agent behind it, and a way to wait for the agent's end. */
async function reach(
  kind: TransportKind,
  options: AgentOptions = {},
): Promise<{ transport: Transport; ended: () => Promise<unknown> }> {
  if (kind === "a child process") {
    const path = await program(new URL("./agent-process.ts", import.meta.url));
    const agent = spawnAgent({ command: process.execPath, args: [path, JSON.stringify(options)] });
    return { transport: agent, ended: () => agent.exited };
  }
  if (isProfile(kind)) {
    const remote = await openRemote(kind, { connect: (transport) => startFixtureAgent(transport, options) });
    return { transport: remote.transport, ended: async () => remote[Symbol.asyncDispose]() };
  }
  const [ours, theirs] = linkedTransports();
  const streams = kind === "web streams";
  const agent = startFixtureAgent(streams ? throughStreams(theirs) : theirs, options);
  return { transport: streams ? throughStreams(ours) : ours, ended: () => agent.closed };
}

/** The same transport, behind a pair of web streams of messages. */
export function throughStreams(transport: Transport): Transport {
  return fromMessageStream(toMessageStream(transport));
}
