import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { createGuard, tokenAuthentication } from "@acp-kit/http";
import { fetchListener } from "@acp-kit/http/node";
import { type WebSocket, WebSocketServer } from "ws";
import { type PageFiles, pageHtml, readPageFiles } from "./page-files.js";

/** Options of a {@link PageServer}: the page and its connection. */
export interface PageServerOptions {
  /** The secret in the fragment of the page's URL. Without the secret, a caller gets only an empty page. */
  readonly token: string;
  readonly port: number;
  /** The recording as a self-contained page. */
  readonly html: () => string;
  /** Called for each page that connects. */
  readonly onPage: (socket: WebSocket) => void;
}

/** The page loads resources from this server only, and connects to this server only. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'", // the page can't parse a text as HTML
  "trusted-types 'none'",
].join("; ");

const HEADERS = {
  "content-security-policy": `${POLICY}; frame-ancestors 'none'`,
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

/** The maximum size of a command of the page. */
const MAX_COMMAND_BYTES = 33_554_432;
const WEB_SOCKET_PROTOCOL = "acp-inspector";

/** The HTTP server of one inspector, on loopback. */
export class PageServer {
  readonly #options: PageServerOptions;
  readonly #files: PageFiles = readPageFiles();
  readonly #sockets = new Set<WebSocket>();
  readonly #webSockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_COMMAND_BYTES,
    handleProtocols: () => WEB_SOCKET_PROTOCOL,
  });
  readonly #openGuard = createGuard({ authenticate: "none" });
  readonly #tokenGuard;
  readonly #server;

  constructor(options: PageServerOptions) {
    this.#options = options;
    this.#tokenGuard = createGuard({ authenticate: tokenAuthentication(options.token) });
    this.#server = createServer(fetchListener((request) => this.#respond(request)) as never);
    this.#server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head));
  }

  /** Starts to listen. Returns the URL of the page, with the token. */
  listen(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(this.#options.port, "127.0.0.1", () => {
        const { port } = this.#server.address() as AddressInfo;
        resolve(`http://127.0.0.1:${port}/#${this.#options.token}`);
      });
    });
  }

  /** Closes the server and the connections of all pages. Never rejects. */
  close(): Promise<void> {
    for (const socket of this.#sockets) socket.terminate();
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #respond(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    switch (pathname) {
      case "/":
        return this.#openGuard(request, async () => served(pageHtml(POLICY, STYLE_LINK, SCRIPT_LINK), "text/html"));
      case "/page.js":
        return this.#openGuard(request, async () => served(this.#files.script, "text/javascript"));
      case "/page.css":
        return this.#openGuard(request, async () => served(this.#files.style, "text/css"));
      case "/schema.json":
        return this.#tokenGuard(request, async () => served(readSchema("v1"), "application/json"));
      case "/schema-v2.json":
        return this.#tokenGuard(request, async () => served(readSchema("v2"), "application/json"));
      case "/trace.html":
        return this.#tokenGuard(request, async () => served(this.#options.html(), "text/html"));
      default:
        return this.#openGuard(request, async () => new Response("Not found", { status: 404, headers: HEADERS }));
    }
  }

  async #checkUpgrade(request: IncomingMessage): Promise<Response> {
    // The path is compared as text, because any web page can send a path such as "//", which is not a valid URL.
    if (request.url !== WIRE_PATH) return new Response(null, { status: 404 });
    const headers = new Headers();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    return this.#tokenGuard(new Request(`http://127.0.0.1${WIRE_PATH}`, { headers }), async () => new Response(null));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => {}); // the browser has disconnected
    const response = await this.#checkUpgrade(request);
    if (!response.ok) {
      socket.end(`HTTP/1.1 ${response.status} Refused\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    this.#webSockets.handleUpgrade(request, socket, head, (page) => {
      this.#sockets.add(page);
      page.on("close", () => this.#sockets.delete(page));
      page.on("error", () => page.terminate());
      this.#options.onPage(page);
    });
  }
}

const WIRE_PATH = "/wire";
const STYLE_LINK = '<link rel="stylesheet" href="/page.css">';
const SCRIPT_LINK = '<script src="/page.js"></script>';

function served(body: string, type: string): Response {
  return new Response(body, { headers: { ...HEADERS, "content-type": `${type}; charset=utf-8` } });
}

function readSchema(version: "v1" | "v2"): string {
  const path = createRequire(import.meta.url).resolve(`@acp-kit/schema/${version}/schema.unstable.json`);
  return readFileSync(path, "utf8");
}
