import { type BunHandlers, bunHandlers } from "@acp-kit/http";
import { handler } from "./handler.js";

declare const Bun: {
  serve(options: BunHandlers & { port: number; hostname: string; idleTimeout: number }): { port: number };
};

// #region bun
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, ...bunHandlers(handler) });
// #endregion bun
console.log(`http://127.0.0.1:${server.port}/acp`);
