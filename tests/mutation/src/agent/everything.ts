import { PassThrough } from "node:stream";
import type { TestedAgentExit, TestedAgentProcess } from "@acp-kit/conformance";
import { type EverythingOptions, everythingAgent, memoryEverythingStore } from "@acp-kit/everything-agent";
import { nodeTransport } from "@acp-kit/stdio/node";
import type { MakeMutation } from "../wire/mutation.js";
import { WireProxy } from "../wire/wire-proxy.js";

/** Creates a starter of everything agents in this process, with one store, each behind a proxy of its own. */
export function everythingBehind(
  mutation: MakeMutation = () => ({}),
  options: EverythingOptions = {},
): () => Promise<TestedAgentProcess> {
  const agent = everythingAgent({ store: memoryEverythingStore(), paceMs: 0, version: "0.0.0", ...options });
  return () => {
    const toAgent = new PassThrough();
    const fromAgent = new PassThrough();
    let listener: (bytes: Uint8Array) => void = () => {};
    let exit: (exit: TestedAgentExit) => void = () => {};
    const exited = new Promise<TestedAgentExit>((resolve) => {
      exit = resolve;
    });
    const end = (signal: string | null): void => {
      toAgent.end();
      exit({ exitCode: signal === null ? 0 : null, signal, stderrTail: "" });
    };
    const proxy = new WireProxy(mutation(), {
      toKit: (bytes) => listener(bytes),
      toPeer: (bytes) => void (toAgent.writable && toAgent.write(bytes)),
      die: () => end("SIGSEGV"),
    });
    fromAgent.on("data", (bytes: Uint8Array) => proxy.peerWrote(bytes));
    const connection = agent.connect(nodeTransport(toAgent, fromAgent));
    void connection.closed.then(() => end(null));
    return Promise.resolve({
      write: (bytes) => setImmediate(() => proxy.kitWrote(bytes)), // later, like a pipe
      endInput: () => toAgent.end(),
      onOutput: (to) => {
        listener = to;
      },
      exited,
      kill: () => {
        end("SIGKILL");
        return Promise.resolve();
      },
    });
  };
}
