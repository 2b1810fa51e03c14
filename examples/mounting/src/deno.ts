import { handler } from "./handler.js";

declare const Deno: {
  serve(
    options: { port: number; hostname: string; onListen: (address: { port: number }) => void },
    fetch: typeof handler.fetch,
  ): unknown;
};

// #region deno
const onListen = ({ port }: { port: number }): void => console.log(`http://127.0.0.1:${port}/acp`);
Deno.serve({ hostname: "127.0.0.1", port: 0, onListen }, handler.fetch);
// #endregion deno
