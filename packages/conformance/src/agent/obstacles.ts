import { shown } from "../wire/values.js";

/** The reason when a login is missing. */
export const loginNeeded = "a login is needed; name one of the agent's login methods with --auth-method";

/** The reason when a plain turn fails. */
export const noModel = "a plain turn fails; the agent may have no model, or needs another prompt (--prompt text=…)";

/** The reason when `session/new` with plain params fails, too. */
export const noSession = (error: unknown): string => `the agent opens no session here: ${shown(error)}`;
