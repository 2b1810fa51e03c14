import { spawn } from "node:child_process";
import { Readable, Writable } from "node:stream";
import type { ServedAgent } from "@acp-kit/http";
import { program } from "@acp-kit/promises-tests/program";
import { spawnAgent } from "@acp-kit/stdio/node";
import { ndJsonStream } from "sdk-2";
import type { AgentConnector } from "./remote-servers.js";

/** Our agent behind our server, in one process for each connection. */
export async function kitProcess(): Promise<ServedAgent> {
  const args = [await program(new URL("./kit-agent.ts", import.meta.url))];
  return {
    connect(transport) {
      const agent = spawnAgent({ command: process.execPath, args });
      const close = async (): Promise<void> => {
        await Promise.all([transport.close(), agent.close()]);
      };
      const end = (): void => void close();
      transport.start({ message: (value) => agent.send(value as never), malformed() {}, ended: end, failed: end });
      agent.start({ message: (value) => transport.send(value as never), malformed() {}, ended: end, failed: end });
      return { closed: agent.exited, close };
    },
  };
}

/** The agent on the official SDK behind the SDK's server, in one process for each connection. */
export async function sdk2Process(): Promise<AgentConnector> {
  const path = await program(new URL("./sdk-2-agent.ts", import.meta.url));
  return {
    connect(stream) {
      const child = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit"] });
      const lines = ndJsonStream(
        Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      );
      const toAgent = stream.readable.pipeTo(lines.writable).catch(() => {});
      const toClient = lines.readable.pipeTo(stream.writable).catch(() => {});
      void toAgent.then(() => child.kill());
      return { closed: toClient };
    },
  };
}
