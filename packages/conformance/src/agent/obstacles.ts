/** The reason when a login is missing. */
export const loginNeeded = "a login is needed; --auth-method takes one of the agent's methods";

/** The reason when a plain turn fails. */
export const noModel =
  "a plain turn fails; there may be no model behind the agent, or it needs other words (--prompt text=…)";
