import { everythingAgent } from "@acp-kit/everything-agent";
import { linkedTransports, type Transport } from "@acp-kit/jsonrpc";
import { agentScript } from "@acp-kit/testing";
import { hostileTexts, hostileUpdates } from "./hostile.js";

/** The everything agent in this process, without pauses. */
export function everything(): Transport {
  const [agentSide, clientSide] = linkedTransports();
  everythingAgent({ paceMs: 0 }).connect(agentSide);
  return clientSide;
}

/** An agent that sends every hostile text in every place where a page shows an agent's text. */
export function hostileAgent(): Transport {
  return agentScript()
    .initialize({ agentInfo: { name: "<b>evil</b>", title: hostileTexts[0] ?? "", version: "1" } })
    .onPrompt(async (turn) => {
      for (const text of hostileTexts) for (const update of hostileUpdates(text)) turn.update(update as never);
      await turn.request("session/request_permission", {
        toolCall: { toolCallId: "p", title: hostileTexts[1] ?? "" },
        options: [{ optionId: "a", name: hostileTexts[2] ?? "", kind: "allow_once" }],
      });
    })
    .inMemory().transport;
}
