import { createAgent } from "@acp-kit/agent";
import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";

/**
 * Returns a function that starts an agent in this process. Each turn sends 200 numbered words. If `hasEnd` returns
 * `false` for a prompt, its turn runs until the process is killed.
 */
export function counterAgent(hasEnd: (text: string) => boolean = () => true): () => Transport {
  const agent = createAgent({
    info: { name: "counter", version: "1.0.0" },
    newSession: () => ({ sessionId: crypto.randomUUID() }),
    loadSession: () => ({}),
    prompt: async (turn) => {
      for (let i = 0; i < 200; i++) {
        await turn.message(`${turn.text}#${i} `);
        if (i === 180 && !hasEnd(turn.text)) await new Promise(() => {});
        if (i % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    },
  });
  return () => {
    const [ours, theirs] = linkedTransports();
    agent.connect(theirs);
    return ours;
  };
}
