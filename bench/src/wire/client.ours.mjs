import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

/**
 * A client on acp-kit with a listener and no options. With `lean`, it keeps no transcript and applies no compatibility
 * rules. `version` is the highest version of the protocol that the client offers.
 */
export async function connect(args, onUpdate, { lean = false, queued = false, version = 1 } = {}) {
  const source = spawnAgent({ command: process.execPath, args });
  const versions = version === 2 ? [(await import("@acp-kit/v2/client")).v2] : [];
  const agent = await connectAgent(source, {
    info: { name: "bench", version: "1.0.0" },
    versions,
    onUpdate,
    ...(queued && { limits: { maxBacklogBytes: 1e9 } }),
    ...(lean && { transcript: false, dialects: false }),
  });
  return {
    pid: source.pid,
    async open() {
      const session = await agent.newSession({ cwd: "/work" });
      return {
        prompt: (blocks) => session.prompt(blocks).result,
        setMode: () => agent.peer.request("session/set_mode", { sessionId: session.sessionId, modeId: "code" }),
        /** Runs a turn, begins to read its updates, and reads on only after the turn has ended. */
        async queue(blocks) {
          const turn = session.prompt(blocks);
          const updates = turn[Symbol.asyncIterator]();
          await updates.next();
          await turn.result;
          return async () => {
            let count = 1;
            for await (const _ of updates) count++;
            return count;
          };
        },
      };
    },
    close: () => agent.close(),
  };
}
