import type { PeerExit, PeerProcess } from "../src/wire/peer-process.js";
import { type Mutation, RightAgent, type Store } from "./right-agent.js";

/** An agent that runs in this process. */
export interface AgentOfLines {
  /** Called with each line of the agent's input. */
  line(text: string): void;
  /** Called when the agent ends. */
  end?(): void;
}

/** The actions of an agent that runs in this process. */
export interface ProcessOfAgent {
  write(output: string | Uint8Array): void;
  exit(code: number): void;
}

/**
 * Runs an agent in this process. It exchanges the same bytes as over pipes, and later, like a pipe.
 *
 * @param options.immortal whether the agent keeps running when its input ends
 */
export function runInProcess(
  start: (process: ProcessOfAgent) => AgentOfLines,
  { immortal = false }: { readonly immortal?: boolean | undefined } = {},
): Promise<PeerProcess> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  let listener: ((bytes: Uint8Array) => void) | undefined;
  let rest = "";
  let ended = false;
  let exit: ((exit: PeerExit) => void) | undefined;
  const exited = new Promise<PeerExit>((resolve) => {
    exit = resolve;
  });
  const end = (signal: string | null, code = 0): void => {
    if (ended) return;
    ended = true;
    setImmediate(() => {
      agent.end?.();
      exit?.({ exitCode: signal === null ? code : null, signal, stderrTail: "" });
    });
  };
  const agent = start({
    write(output) {
      const bytes = typeof output === "string" ? encoder.encode(output) : output;
      setImmediate(() => listener?.(bytes));
    },
    exit: (code) => end(null, code),
  });
  return Promise.resolve({
    write(bytes) {
      rest += decoder.decode(bytes, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      setImmediate(() => {
        for (const line of lines) if (!ended) agent.line(line);
      });
    },
    endInput: () => (immortal ? undefined : end(null)),
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

const notUtf8 = Uint8Array.of(0x22, 0xff, 0x22, 0x0a);

/** Starts the right agent, or one with a mutation. */
export function startRightAgent(store: Store, mutation: Mutation = {}): Promise<PeerProcess> {
  return runInProcess(({ write, exit }) => {
    const agent = new RightAgent((text) => write(text.startsWith("\u0000") ? notUtf8 : text), store, mutation);
    agent.exit = exit;
    return agent;
  }, mutation);
}
