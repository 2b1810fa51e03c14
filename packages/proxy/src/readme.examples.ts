import { connectAgent } from "@acp-kit/client";
import type { Transport } from "@acp-kit/jsonrpc";
// #region proxy
import { createProxy, refuse, withProxies } from "@acp-kit/proxy";

/** Rules for any agent: a hint in the first prompt of a session, no thoughts, and no writing of files. */
export const houseRules = createProxy({
  info: { name: "house-rules", version: "1.0.0" },
  fromClient: {
    "session/prompt": ({ params, session }, next) => {
      if (!session.isFirstPrompt) return next(params);
      return next({ ...params, prompt: [...params.prompt, { type: "text", text: "Answer in British English." }] });
    },
  },
  fromAgent: {
    "session/update": { agent_thought_chunk: () => {} }, // without next(), a notification is dropped
    "fs/write_text_file": () => refuse("This agent may only read files."),
  },
});
// #endregion proxy

// #region use
/** Prompts an agent, such as one from `spawnAgent`, behind the rules. */
export async function ask(agent: Transport, prompt: string): Promise<string> {
  await using connection = await connectAgent(withProxies(agent, [houseRules]));
  const session = await connection.newSession({ cwd: "/work" });
  return await session.prompt(prompt).text();
}

// #endregion use

// #region versions
import { v2 } from "@acp-kit/proxy/v2";

/** No thoughts, in both versions. */
export const withoutThoughts = createProxy({
  info: { name: "without-thoughts", version: "1.0.0" },
  fromAgent: { "session/update": { agent_thought_chunk: () => {} } },
  versions: [v2({ fromAgent: { "session/update": { agent_thought: () => {}, agent_thought_chunk: () => {} } } })],
});
// #endregion versions
