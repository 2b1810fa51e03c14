import { once } from "node:events";
import { onTestFinished } from "vitest";
import { WebSocket } from "ws";
import type { Inspector } from "../src/node/index.js";

/** A connection to the inspector on which the test acts as a page. */
export interface ConnectedPage {
  readonly send: (command: object) => void;
  /** Resolves with the first line from the server that contains the text. If no line does, waits for one. */
  readonly entry: (text: string) => Promise<string>;
  readonly message: (text: string) => Promise<string>;
}

/** Connects as a page does, without a browser. */
export async function connect(inspector: Inspector): Promise<ConnectedPage> {
  const { host, hash } = new URL(inspector.url);
  const protocols = ["acp-inspector", `acp.bearer.${Buffer.from(hash.slice(1)).toString("base64url")}`];
  const socket = new WebSocket(`ws://${host}/wire`, protocols);
  const received: string[] = [];
  const waiting = new Set<() => void>();
  socket.on("message", (data) => {
    received.push(...String(data).split("\n"));
    for (const check of waiting) check();
  });
  await once(socket, "open");
  onTestFinished(() => socket.terminate());
  const found = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const check = (): void => {
        const line = received.find((each) => each.includes(text));
        if (line === undefined) return;
        waiting.delete(check);
        resolve(line);
      };
      waiting.add(check);
      check();
    });
  return { send: (command) => socket.send(JSON.stringify(command)), entry: found, message: found };
}
