import { connect } from "node:net";
import type { GatewayServer } from "@acp-kit/gateway/node";

/** Returns whether a text contains everything to wait for. */
export type IsComplete = (text: string) => boolean;

/** How long a server that sends nothing more may be idle, in milliseconds. */
const IDLE_MS = 300;
/** The same for a server that has not sent anything yet: a slow machine needs time. */
const FIRST_MS = 5_000;

/**
 * Sends bytes unchanged and returns all received bytes, until the server closes the connection, or is idle after
 * everything has arrived.
 */
export function rawExchange({ port }: GatewayServer, bytes: string, isComplete?: IsComplete): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setEncoding("latin1").on("data", (more: string) => {
      text += more;
      socket.setTimeout(IDLE_MS);
    });
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(FIRST_MS);
    socket.on("timeout", () => {
      if (isComplete?.(text) ?? true) end();
      else socket.setTimeout(IDLE_MS);
    });
    socket.on("end", end).on("error", end);
  });
}

/** The parts of a request. */
export interface WireRequest {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** Sends a valid request on a socket of its own. Returns the response without its date. */
export async function exchange(server: GatewayServer, request: WireRequest, isComplete?: IsComplete): Promise<string> {
  const { method = "POST", path = "/acp", token, headers = {}, body } = request;
  const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
  const lines = {
    host: `127.0.0.1:${server.port}`,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(body !== undefined && { "content-type": "application/json" }),
    "content-length": String(Buffer.byteLength(text)),
    connection: "close",
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  const response = await rawExchange(server, `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${text}`, isComplete);
  return response.replace(/^date: .*\r\n/im, "").replaceAll(/^id: [0-9a-f]{16}\./gm, "id: (random).");
}

/** Returns the status of a response. */
export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
}

/** An HTTP connection. */
export async function httpConnection(server: GatewayServer, token: string): Promise<string> {
  const body = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
  const response = await exchange(server, { token, body });
  return /^acp-connection-id: (.*)\r$/im.exec(response)?.[1] ?? "";
}
