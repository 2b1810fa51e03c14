// #region agent
import { createAgent } from "@acp-kit/agent";
import { aiSdkAgent } from "@acp-kit/ai-sdk";
import { serveStdio } from "@acp-kit/stdio/node";
import { chosenModel } from "./chosen-model.js"; // such as `anthropic("…")`

const agent = createAgent(
  aiSdkAgent({
    info: { name: "smallest-ai-sdk-agent", version: "1.0.0" },
    model: await chosenModel(),
    system: "You answer in one sentence.",
  }),
);

await serveStdio(agent);
// #endregion agent
