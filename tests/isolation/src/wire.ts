import { connect } from "node:net";
import type { GatewayServer } from "@acp-kit/gateway/node";

/** Sends bytes as they are and returns all that comes back until the server closes, or is silent for a while. */
export function rawExchange({ port }: GatewayServer, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes, "latin1"));
    socket.setEncoding("latin1").on("data", (more: string) => {
      text += more;
    });
    const end = (): void => {
      socket.destroy();
      resolve(text);
    };
    socket.setTimeout(300, end);
    socket.on("end", end).on("error", end);
  });
}

/** What a request consists of. */
export interface WireRequest {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A request that is well-formed, on a socket of its own. The response without its date. */
export async function exchange(server: GatewayServer, request: WireRequest): Promise<string> {
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
  const response = await rawExchange(server, `${method} ${path} HTTP/1.1\r\n${head.join("")}\r\n${text}`);
  return response.replace(/^date: .*\r\n/im, "").replaceAll(/^id: [0-9a-f]{16}\./gm, "id: (random).");
}

/** The status of a response. */
export function statusOf(response: string): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(response)?.[1] ?? 0);
}

/** A connection over HTTP. */
export async function httpConnection(server: GatewayServer, token: string): Promise<string> {
  const body = { jsonrpc: "2.0", id: 0, method: "initialize", params: { protocolVersion: 1 } };
  const response = await exchange(server, { token, body });
  return /^acp-connection-id: (.*)\r$/im.exec(response)?.[1] ?? "";
}
