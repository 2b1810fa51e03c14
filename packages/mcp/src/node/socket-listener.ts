import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Message } from "@acp-kit/jsonrpc";
import { after } from "@acp-kit/jsonrpc/internal";
import { nodeTransport } from "@acp-kit/stdio/node";
import type { LocalServer, LocalServers } from "./local-server.js";

const MAX_MESSAGE_BYTES = 4_194_304;
const TOKEN_TIMEOUT_MS = 10_000;
/** `<path>.<token>` and the end of the line. */
const TOKEN_LINE_BYTES = 22 + 1 + 43 + 1;

/**
 * The program that an agent starts: it connects its standard input and output with the application. It is a text and no
 * file, so that bundled applications need not ship one.
 */
export const shimCode: string = [
  'const s=process.getBuiltinModule("net").connect(process.env.ACP_KIT_MCP_SOCKET);',
  's.on("error",()=>{process.exitCode=1;console.error("The application that serves these tools has ended.")});',
  's.on("close",()=>process.stdin.destroy());',
  's.write(process.env.ACP_KIT_MCP_TOKEN+"\\n");process.stdin.pipe(s);s.pipe(process.stdout)',
].join("");

/** A Unix socket or a named pipe on which the programs that agents start reach the servers. */
export class SocketListener {
  readonly address: string;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  /** Opens a listener in a folder that only this user can open. */
  static async open(servers: LocalServers): Promise<SocketListener> {
    const isWindows = process.platform === "win32";
    const address = isWindows
      ? `\\\\.\\pipe\\acp-kit-mcp-${randomBytes(16).toString("hex")}`
      : join(await mkdtemp(join(tmpdir(), "acp-kit-mcp-")), "s");
    const listener = new SocketListener(address, servers);
    await new Promise<void>((resolve, reject) => {
      listener.#server.once("error", reject);
      listener.#server.listen(address, resolve);
    });
    return listener;
  }

  private constructor(address: string, servers: LocalServers) {
    this.address = address;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.unref().on("error", () => {}); // its end is enough
      socket.once("close", () => this.#sockets.delete(socket));
      readToken(socket, servers, (server) => serve(socket, server));
    });
    this.#server.unref();
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (process.platform !== "win32") await rm(dirname(this.address), { recursive: true, force: true });
  }
}

/** Reads the first line of a connection, which has the token, and calls `accept` if it is right. */
function readToken(socket: Socket, servers: LocalServers, accept: (server: LocalServer) => void): void {
  const stop = after(TOKEN_TIMEOUT_MS, () => socket.destroy());
  const read = (): void => {
    const line = socket.read(TOKEN_LINE_BYTES) as Buffer | null;
    if (line === null) return;
    stop();
    socket.off("readable", read);
    const [path = "", token = ""] = line.toString("latin1").trimEnd().split(".");
    const server = servers.get(path);
    if (server?.isToken(token)) accept(server);
    else socket.destroy();
  };
  socket.on("readable", read);
  socket.once("close", stop);
}

function serve(socket: Socket, { eras, closed }: LocalServer): void {
  const ended = new AbortController();
  const end = (): void => {
    ended.abort(new Error("The agent disconnected"));
    socket.destroy();
  };
  closed.addEventListener("abort", end, { once: true });
  socket.once("close", () => {
    closed.removeEventListener("abort", end);
    end();
  });
  const transport = nodeTransport(socket, socket, { maxMessageBytes: MAX_MESSAGE_BYTES });
  const send = (message: object): void => {
    if (ended.signal.aborted) return;
    try {
      transport.send(message as Message);
    } catch {
      const { id } = message as { readonly id?: string };
      const error = { code: -32603, message: "The result is not JSON" };
      if (id !== undefined) transport.send({ jsonrpc: "2.0", id, error });
    }
    const { full } = transport;
    if (full === undefined) return;
    transport.pause();
    void full.then(() => transport.resume());
  };
  transport.start({
    message: (value) => {
      void eras.handle(value, send, ended.signal).then((response) => {
        if (response !== undefined) send(response);
      });
    },
    malformed: ({ kind }) => {
      const error = { code: -32700, message: `The line is not a message: ${kind}` };
      send({ jsonrpc: "2.0", id: null, error });
    },
    ended: end,
    failed: end,
  });
}
