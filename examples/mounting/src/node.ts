import { createServer, type Server } from "node:http";
import { createServer as createServer2, type Http2Server } from "node:http2";
import { fetchListener } from "@acp-kit/http/node";
import { handler } from "./handler.js";

export const http: Server = createServer(fetchListener(handler.fetch));
export const http2: Http2Server = createServer2(fetchListener(handler.fetch)); // with TLS: createSecureServer
