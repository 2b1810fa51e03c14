// Our agent as a program.
import { serveStdio } from "@acp-kit/stdio/node";
import { kitAgent } from "./kit.js";

await serveStdio(kitAgent());
