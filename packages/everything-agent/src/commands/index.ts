import type { EverythingCommand } from "../command.js";
import { background } from "./background.js";
import { big } from "./big.js";
import { changes } from "./changes.js";
import { commands } from "./commands.js";
import { compact } from "./compact.js";
import { config } from "./config.js";
import { content } from "./content.js";
import { echo } from "./echo.js";
import { edit } from "./edit.js";
import { error } from "./error.js";
import { extension } from "./extension.js";
import { flood } from "./flood.js";
import { form } from "./form.js";
import { help } from "./help.js";
import { later } from "./later.js";
import { mode } from "./mode.js";
import { notice } from "./notice.js";
import { permission } from "./permission.js";
import { plan } from "./plan.js";
import { read } from "./read.js";
import { replace } from "./replace.js";
import { run } from "./run.js";
import { session } from "./session.js";
import { slow } from "./slow.js";
import { maxTokens, maxTurnRequests, refuse } from "./stop-reasons.js";
import { stream } from "./stream.js";
import { terminal } from "./terminal.js";
import { think } from "./think.js";
import { timeout } from "./timeout.js";
import { title } from "./title.js";
import { tools } from "./tools.js";
import { twoPlans } from "./two-plans.js";
import { unicode } from "./unicode.js";
import { url } from "./url.js";
import { usage } from "./usage.js";
import { work } from "./work.js";
import { write } from "./write.js";

/** Every command, in the order in which they are listed. */
export const allCommands: readonly EverythingCommand[] = [
  ...[help, echo, stream, replace, unicode, big, flood, think, plan, twoPlans],
  ...[tools, content, permission, edit, changes, read, write, run, timeout, terminal, background],
  ...[form, url, usage, title, mode, config, commands, notice, compact, session],
  ...[slow, later, work, refuse, maxTokens, maxTurnRequests, error, extension],
];
