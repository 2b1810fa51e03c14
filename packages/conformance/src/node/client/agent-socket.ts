import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentLink, AgentLinkListener } from "../../client/agent-link.js";
import { type AgentCommand, agentCommand } from "./agent-command.js";
import { type RelayGreeting, relayProgram } from "./relay-program.js";

/** A socket of the kit. Each agent process that a client starts connects to it. */
export interface AgentSocket {
  /** The command that starts an agent. */
  readonly command: AgentCommand;
  /** Ends every agent, and removes the socket and the program. */
  close(): Promise<void>;
}

/** Opens a socket for one client, and writes the program that connects to it. */
export async function openAgentSocket(options: {
  readonly stderrBytes: number;
  readonly onAgent: (link: AgentLink) => void;
}): Promise<AgentSocket> {
  const folder = await mkdtemp(join(tmpdir(), "acp-kit-"));
  const address =
    process.platform === "win32" ? `\\\\.\\pipe\\${folder.replace(/[^\w-]/g, "-")}` : join(folder, "agent");
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    greet(socket, options.onAgent);
  });
  server.listen(address);
  await once(server, "listening");
  const program = join(folder, "agent.mjs");
  await writeFile(program, relayProgram({ address, stderrBytes: options.stderrBytes }));
  return {
    command: agentCommand([process.execPath, program]),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for the first line, which the relay program writes; all bytes after it come from the client. */
function greet(socket: Socket, onAgent: (link: AgentLink) => void): void {
  let begun = Buffer.alloc(0);
  const read = (bytes: Buffer): void => {
    begun = Buffer.concat([begun, bytes]);
    const end = begun.indexOf(0x0a);
    if (end === -1) return;
    socket.off("data", read);
    socket.pause();
    const greeting = JSON.parse(begun.subarray(0, end).toString()) as RelayGreeting;
    onAgent(new SocketLink(socket, greeting, begun.subarray(end + 1)));
  };
  socket.on("data", read);
  socket.on("error", () => {}); // the client has exited, so nothing more arrives
}

class SocketLink implements AgentLink {
  readonly extraArguments: readonly string[];
  readonly #socket: Socket;
  readonly #pid: number;
  readonly #first: Buffer;

  constructor(socket: Socket, { pid, extraArguments }: RelayGreeting, first: Buffer) {
    this.#socket = socket;
    this.#pid = pid;
    this.#first = first;
    this.extraArguments = extraArguments;
  }

  write(bytes: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  exit(): void {
    this.#socket.end();
  }

  crash(): void {
    // Waits until the bytes are written, because a signal sent now could arrive before them.
    this.#socket.end(() => {
      try {
        process.kill(this.#pid, "SIGKILL");
      } catch {
        // The process has already ended.
      }
    });
  }

  listen(listener: AgentLinkListener): void {
    const socket = this.#socket;
    let ended = false;
    const end = (): void => {
      if (ended) return;
      ended = true;
      listener.end();
      socket.end(); // the client has exited, so the agent ends
    };
    if (this.#first.length > 0) listener.data(this.#first);
    socket.on("data", (bytes: Buffer) => listener.data(bytes));
    socket.on("end", end);
    socket.on("close", end);
    socket.resume();
  }
}
