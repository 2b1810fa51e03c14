// #region handler
import { createAgent } from "@acp-kit/agent";
import { type AcpHandler, createAcpHandler, tokenAuthentication } from "@acp-kit/http";

const agent = createAgent({
  info: { name: "mounted", version: "1.0.0" },
  newSession: () => ({ sessionId: crypto.randomUUID() }),
  prompt: async (turn) => {
    await turn.message(`You said: ${turn.text}`);
  },
});

export const handler: AcpHandler = createAcpHandler(agent, { authenticate: tokenAuthentication("secret") });
// #endregion handler
