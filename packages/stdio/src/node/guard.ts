// Imported for its effect, first in an agent's main file, so that it precedes whatever prints at import:
//
//   import "@acp-kit/stdio/node/guard";
import { guardStdout } from "./guard-stdout.js";

guardStdout();
