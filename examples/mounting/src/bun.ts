import { handler } from "./handler.js";

declare const Bun: {
  serve(options: { port: number; hostname: string; idleTimeout: number; fetch: typeof handler.fetch }): {
    port: number;
  };
};

// #region bun
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, idleTimeout: 60, fetch: handler.fetch });
// #endregion bun
console.log(`http://127.0.0.1:${server.port}/acp`);
