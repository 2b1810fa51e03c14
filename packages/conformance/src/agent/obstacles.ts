/** Why nothing can be tried without a login. */
export const loginNeeded = "a login is needed; --auth-method takes one of the agent's methods";

/** Why a plain turn may fail. */
export const noModel =
  "a plain turn fails; there may be no model behind the agent, or it needs other words (--prompt text=…)";
