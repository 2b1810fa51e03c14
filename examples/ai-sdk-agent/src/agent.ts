// A coding agent: it reads and edits files, runs commands and makes plans in any ACP client, and continues its sessions
// after a crash.
import { homedir } from "node:os";
import { join } from "node:path";
// #region agent
import { createAgent } from "@acp-kit/agent";
import { aiSdkAgent } from "@acp-kit/ai-sdk";
import { sessionTools } from "@acp-kit/ai-sdk/mcp";
import { withSessions } from "@acp-kit/sessions";
import { sqliteStore } from "@acp-kit/sessions/node";
import { serveStdio } from "@acp-kit/stdio/node";
import { chosenModel } from "./chosen-model.js";
import { codingTools } from "./tools.js";
import { codingViews } from "./views.js";

const definition = aiSdkAgent({
  info: { name: "coding-agent", title: "Coding Agent", version: "1.0.0" },
  model: await chosenModel(),
  system: "You are a coding agent. Make a plan, read before you edit, and check what you did.",
  tools: codingTools,
  mcp: sessionTools(),
  views: codingViews,
  contextWindow: 200_000,
  coalesceMs: 20,
});

const store = sqliteStore({ path: process.env.ACP_SESSIONS ?? join(homedir(), ".coding-agent", "sessions.db") });
const agent = createAgent(withSessions(definition, store, { restore: definition.restore }));

await serveStdio(agent);
// #endregion agent
