import { connectAgent } from "@acp-kit/client";
import { spawnAgent } from "@acp-kit/stdio/node";

/** A client on acp-kit: as a user writes it, with a listener and no options. */
export async function connect(args, onUpdate) {
  const source = spawnAgent({ command: process.execPath, args });
  const agent = await connectAgent(source, { onUpdate, limits: { maxUnreadUpdates: 1_000_000 } });
  return {
    pid: source.pid,
    async open() {
      const session = await agent.newSession({ cwd: "/work" });
      return {
        prompt: (blocks) => session.prompt(blocks).result,
        setMode: () => session.setMode("code"),
        /** Plays a turn whose updates nobody reads until it is over, then reads them. */
        async queue(blocks) {
          const turn = session.prompt(blocks);
          await turn.result;
          return async () => {
            let count = 0;
            for await (const _ of turn) count++;
            return count;
          };
        },
      };
    },
    close: () => agent.close(),
  };
}
