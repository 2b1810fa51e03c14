// #region main
import { serveStdio } from "@acp-kit/stdio/node";
import { agent } from "./agent.js";

await serveStdio(agent);
// #endregion main
