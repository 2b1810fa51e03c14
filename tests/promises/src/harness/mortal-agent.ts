// An agent that exits at the prompt "die". Its process id identifies it. It appends each received message to the given
// file, a line per call.
import { appendFileSync } from "node:fs";
import { createAgent } from "@acp-kit/agent";
import { serveStdio } from "@acp-kit/stdio/node";

const [, , log = ""] = process.argv;
const note = (what: string): void => appendFileSync(log, `${process.pid} ${what}\n`);

await serveStdio(
  createAgent({
    info: { name: "mortal", version: "1.0.0" },
    newSession: () => {
      note("new");
      return { sessionId: "s-1" };
    },
    resumeSession: ({ sessionId }) => note(`resume ${sessionId}`),
    prompt: async (turn) => {
      note(`prompt ${turn.text}`);
      await turn.message(`${process.pid}`);
      if (turn.text === "die") process.kill(process.pid, "SIGKILL");
      if (turn.text !== "hello") await new Promise(() => {});
    },
  }),
);
