// Import this module first in an agent's main file, before modules that print while they are imported: import
// "@acp-kit/stdio/node/guard";
import { guardStdout } from "./guard-stdout.js";

guardStdout();
