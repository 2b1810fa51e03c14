import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The response at a path: bytes, or a handler. */
export type Route = string | Uint8Array | ((request: IncomingMessage, response: ServerResponse) => void);

/**
 * A server on loopback whose routes a test can change at any time. It serves bytes with an ETag, and responds to
 * unknown paths with 404.
 */
export class TestServer {
  readonly routes = new Map<string, Route>();
  /** The requests so far: method and path. */
  readonly requests: string[] = [];
  readonly #server = createServer((request, response) => this.#handle(request, response));

  #port = 0;

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (this.#server.address() as AddressInfo).port; // the same port after a restart
    return this;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const path = decodeURIComponent((request.url ?? "").replace(/\?.*/, ""));
    this.requests.push(`${request.method} ${path}`);
    const route = this.routes.get(path);
    if (route === undefined) response.writeHead(404).end("not found");
    else if (typeof route === "function") route(request, response);
    else {
      const body = Buffer.from(route);
      const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
      if (request.headers["if-none-match"] === etag) response.writeHead(304).end();
      else response.writeHead(200, { etag, "content-length": body.length }).end(body);
    }
  }
}
