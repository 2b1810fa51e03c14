// Our agent as a process of its own.
import { serveStdio } from "@acp-kit/stdio/node";
import { kitAgent } from "./kit.js";

await serveStdio(kitAgent());
