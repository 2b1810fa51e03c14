import type { AgentLinkListener } from "../src/client/agent-link.js";
import type { ClientProcess, ExitStatus, LaunchClient } from "../src/client/client-process.js";
import type { LegalClient } from "./legal-clients.js";
import { RawClient, type RawClientOptions } from "./raw-client.mjs";

/** A client that sends no message. */
function idle(exited: Promise<ExitStatus>, exit: (status: ExitStatus) => void): ClientProcess {
  return {
    exited,
    stderr: () => "",
    type: () => {},
    closeStdin: () => {},
    signal: () => {},
    kill: async () => exit({ code: null, signal: "SIGTERM" }),
  };
}

/** Returns the text that a client with a habit writes instead of lines with one message each. */
function written(lines: string, habit: LegalClient): string {
  const messages = lines.trimEnd().split("\n");
  return messages.map((line) => habit.write(JSON.parse(line))).join("");
}

/**
 * Starts a raw client in this process. The dialogue is the same as with a client process, but without pipes. `habit`
 * changes the lines that the client writes.
 */
export function launchRawClient(options: RawClientOptions, habit?: LegalClient): LaunchClient {
  return async ({ onAgent, stderrBytes }) => {
    let toAgent: AgentLinkListener | undefined;
    let toClient: (bytes: Uint8Array) => void = () => {};
    let endOfAgent: () => void = () => {};
    let agentGone = false;
    // Runs each step in a task of its own and in order, like a pipe.
    const later = (act: () => void): void => void setImmediate(act);
    const endAgent = (): void => {
      if (agentGone) return;
      agentGone = true;
      later(() => endOfAgent());
    };
    let exit: (status: ExitStatus) => void = () => {};
    const exited = new Promise<ExitStatus>((resolve) => {
      exit = resolve;
    });
    const client = new RawClient(
      {
        write: (bytes) => {
          const changed = typeof bytes === "string" && habit ? written(bytes, habit) : bytes;
          later(() => toAgent?.data(typeof changed === "string" ? new TextEncoder().encode(changed) : changed));
        },
        end: () => later(() => toAgent?.end()),
        onData: (listener) => {
          toClient = listener;
        },
        onEnd: (listener) => {
          endOfAgent = listener;
        },
      },
      options,
      (code) => later(() => exit({ code, signal: null })),
    );
    if (options.wrong === "starts-no-agent") return idle(exited, exit);
    // This client does not read stderr. If the agent writes more than fits into the pipe, it blocks and never reads its
    // input.
    if (options.wrong === "leaves-stderr-full" && stderrBytes > 65_536) return idle(exited, exit);
    onAgent({
      extraArguments: [],
      write: (bytes) => {
        const copy = bytes.slice();
        later(() => toClient(copy));
      },
      exit: endAgent,
      crash: endAgent,
      listen: (listener) => {
        toAgent = listener;
      },
    });
    client.start();
    return {
      exited,
      stderr: () => "",
      type: (text) => client.typed(text),
      closeStdin: () => {},
      signal: () => {},
      kill: async () => {
        client.leave(143);
        endAgent();
        await exited;
      },
    };
  };
}
