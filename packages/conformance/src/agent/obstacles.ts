import { shown } from "../wire/values.js";

/** Why a scenario can't be judged without a login. */
export const loginNeeded = "a login is needed; name one of the agent's login methods with --auth-method";

/** Why a scenario can't be judged if even a simple turn fails. */
export const noModel = "a plain turn fails; the agent may have no model, or needs another prompt (--prompt text=…)";

/** Why a scenario can't be judged if `session/new` with plain params fails, too. */
export const noSession = (error: unknown): string => `the agent opens no session here: ${shown(error)}`;
