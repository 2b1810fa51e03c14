import { tmpdir } from "node:os";
import { type LinkedTransport, linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { deferred } from "@acp-kit/jsonrpc/internal";
import { type MemorySink, memorySink, readRecording, recorder } from "@acp-kit/testing/recording";
import { expect, it, onTestFinished } from "vitest";
import { everything } from "../../../test/in-memory.js";
import { LiveAgent, type LiveAgentOptions, type OpenAgent } from "./live-agent.js";
import { LocalAccess } from "./local-access.js";

function live(open: OpenAgent, options: Partial<LiveAgentOptions> = {}): LiveAgent {
  const agent = new LiveAgent({
    open,
    recorder: recorder({ in: "between", sink: memorySink() }),
    access: new LocalAccess({ files: "refused", terminals: "refused" }),
    onChange: () => {},
    ...options,
  });
  onTestFinished(() => agent.close());
  return agent;
}

it("runs after a restart, even if the first start fails later", async () => {
  const first = deferred<Transport>();
  const opening = deferred();
  let starts = 0;
  const agent = live(() => {
    starts += 1;
    opening.resolve();
    return starts === 1 ? first.promise : everything();
  });
  const starting = agent.start();
  await opening.promise;
  await agent.start();
  first.reject(new Error("too late"));
  await starting;
  expect(agent.status).toEqual({ is: "running" });
});

it("runs after it was stopped and immediately started again", async () => {
  const agent = live(everything);
  await agent.start();
  const closing = agent.close();
  await agent.start();
  await closing;
  expect(agent.status).toEqual({ is: "running" });
});

it("closes an agent that was still starting, before close resolves", async () => {
  const transport = deferred<Transport>();
  const opening = deferred();
  const agent = live(() => {
    opening.resolve();
    return transport.promise;
  });
  const starting = agent.start();
  await opening.promise;
  const events: string[] = [];
  const closing = agent.close().then(() => events.push("close resolved"));
  await new Promise(setImmediate); // close must not resolve in this time
  const late = everything();
  const close = late.close.bind(late);
  late.close = async () => {
    await close();
    events.push("agent closed");
  };
  transport.resolve(late);
  await Promise.all([starting, closing]);
  expect(events).toEqual(["agent closed", "close resolved"]);
  expect(agent.status).toEqual({ is: "ended", reason: "It was stopped." });
});

it("close resolves although the start hangs, and a transport that arrives later is closed", async () => {
  const transport = deferred<Transport>();
  const opening = deferred();
  const agent = live(
    () => {
      opening.resolve();
      return transport.promise;
    },
    { openGraceMs: 10 },
  );
  const starting = agent.start();
  await opening.promise;
  await agent.close();
  expect(agent.status).toEqual({ is: "ended", reason: "It was stopped." });
  const late = everything();
  const closed = deferred();
  const close = late.close.bind(late);
  late.close = async () => {
    await close();
    closed.resolve();
  };
  transport.resolve(late);
  await Promise.all([starting, closed.promise]);
  expect(agent.status).toEqual({ is: "ended", reason: "It was stopped." });
});

it("sends a restarted agent no response to a request of its previous process", async () => {
  const answer = deferred<object>();
  const access = { sent: () => {}, observe: () => {}, answer: () => answer.promise, close: async () => {} };
  const agentSides: Transport[] = [];
  const open = (): Transport => {
    const [agentSide, clientSide] = linkedTransports();
    agentSides.push(agentSide);
    return clientSide;
  };
  const agent = live(open, { access: access as never });
  await agent.start();
  const received: unknown[] = [];
  const receiver = { malformed: () => {}, ended: () => {}, failed: () => {} };
  agentSides[0]?.start({ ...receiver, message: () => {} });
  agentSides[0]?.send({ jsonrpc: "2.0", id: 1, method: "fs/read_text_file", params: {} });
  await agent.start();
  agentSides[1]?.start({ ...receiver, message: (value) => received.push(value) });
  answer.resolve({ content: "of the first agent" });
  agent.send({ jsonrpc: "2.0", method: "last" });
  await expect.poll(() => received).toContainEqual({ jsonrpc: "2.0", method: "last" });
  expect(received).toHaveLength(1);
});

/** The recorded events of the agent's process, in order. */
const events = (sink: MemorySink): string[] =>
  readRecording(sink.text()).entries.flatMap((entry) => (entry.kind === "process" ? [entry.event] : []));

it("records the end of an agent whose connection is lost, and of one that is stopped", async () => {
  const sink = memorySink();
  const sides: LinkedTransport[] = [];
  const open = (): Transport => {
    const [ours, theirs] = linkedTransports();
    sides.push(theirs);
    return ours;
  };
  const agent = live(open, { recorder: recorder({ in: "between", sink }) });
  await agent.start();
  sides[0]?.break(new Error("lost"));
  await expect.poll(() => agent.status).toEqual({ is: "ended", reason: "lost" });
  await agent.start();
  await agent.close();
  expect(events(sink)).toEqual(["started", "output_ended", "started", "output_ended"]);
});

it("starts again after the previous agent has exited, although its output ended before", async () => {
  const sink = memorySink();
  const exited = deferred<{ exitCode: number; signal: null }>();
  const sides: Transport[] = [];
  const open = (): Transport => {
    const [ours, theirs] = linkedTransports();
    sides.push(theirs);
    return sides.length === 1 ? Object.assign(ours, { exited: exited.promise }) : ours;
  };
  const agent = live(open, { recorder: recorder({ in: "between", sink }) });
  await agent.start();
  await sides[0]?.close();
  await expect.poll(() => agent.status.is).toBe("ended");
  const starting = agent.start();
  exited.resolve({ exitCode: 1, signal: null });
  await starting;
  expect(events(sink)).toEqual(["started", "output_ended", "exited", "started"]);
});

it("ends the commands in the terminals of an agent that ends by itself", async () => {
  const access = new LocalAccess({ files: "refused", terminals: "real" });
  const [ours, theirs] = linkedTransports();
  const agent = live(() => ours, { access });
  await agent.start();
  access.sent({ method: "session/load", params: { sessionId: "s", cwd: tmpdir() } });
  const command = { sessionId: "s", command: process.execPath, args: ["-e", "setInterval(() => {}, 1_000)"] };
  const { terminalId } = (await access.answer("terminal/create", command)) as { terminalId: string };
  const waiting = access.answer("terminal/wait_for_exit", { sessionId: "s", terminalId });
  theirs.break(new Error("crashed"));
  await expect(waiting).rejects.toMatchObject({ code: -32002 }); // the terminal was released, which kills its command
});
