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

/** The transports between a client and an agent. Every promise is tested over each of them. */
export const transports = ["linked transports", "web streams", "a child process", ...profiles] as const;
export type TransportKind = (typeof transports)[number];

/** A client connected to the fixture agent. */
export interface Pair extends AsyncDisposable {
  readonly client: AgentConnection;
  readonly wire: Wire;
  /** The agent's diagnostics and aborted signals. */
  readonly saw: Log<string>;
  /** The client's diagnostics. */
  readonly diagnostics: Log<Diagnostic>;
  /** Continues a turn that was prompted with `hold <name>`. */
  release(name: string): void;
}

/**
 * Connects a client to the fixture agent over one kind of transport. The agent's options must be plain values, because
 * they may cross a process boundary.
 */
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

/** The client's end of a transport with the fixture agent, and a promise for the end of the agent's side. */
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

/** Wraps a transport in a pair of web streams of messages. */
export function throughStreams(transport: Transport): Transport {
  return fromMessageStream(toMessageStream(transport));
}
