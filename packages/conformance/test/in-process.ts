import type { PeerExit, PeerProcess } from "../src/wire/peer-process.js";
import { type Mutation, RightAgent, type Store } from "./right-agent.js";

/** Starts the agent in this process. It exchanges the same bytes as over pipes. */
export function startRightAgent(store: Store, mutation: Mutation = {}): Promise<PeerProcess> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let listener: ((bytes: Uint8Array) => void) | undefined;
  let rest = "";
  let ended = false;
  let exit: ((exit: PeerExit) => void) | undefined;
  const exited = new Promise<PeerExit>((resolve) => {
    exit = resolve;
  });
  const agent = new RightAgent(
    (text) => {
      const bytes = text.startsWith("\u0000") ? Uint8Array.of(0x22, 0xff, 0x22, 0x0a) : encoder.encode(text);
      setImmediate(() => listener?.(bytes)); // later, like a pipe
    },
    store,
    mutation,
  );
  const end = (signal: string | null, code = 0): void => {
    if (ended) return;
    ended = true;
    setImmediate(() => {
      agent.end();
      exit?.({ exitCode: signal === null ? code : null, signal, stderrTail: "" });
    });
  };
  agent.exit = (code) => end(null, code);
  return Promise.resolve({
    write(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      setImmediate(() => {
        for (const line of lines) if (!ended) agent.line(line);
      });
    },
    endInput: () => (mutation.immortal ? undefined : end(null)),
    onOutput(given) {
      listener = given;
    },
    exited,
    kill() {
      end("SIGKILL");
      return Promise.resolve();
    },
  });
}
