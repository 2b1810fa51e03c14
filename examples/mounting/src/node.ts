// #region node
import { createServer, type Server } from "node:http";
import { createServer as createServer2, type Http2Server } from "node:http2";
import { handler } from "./handler.js";
import { nodeListener } from "./node-listener.js";

export const http: Server = createServer(nodeListener(handler.fetch));
export const http2: Http2Server = createServer2(nodeListener(handler.fetch)); // with TLS: createSecureServer
// #endregion node
