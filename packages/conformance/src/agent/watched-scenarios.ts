import type { Watch } from "../scenario.js";

/** The scenarios with the messages of some watches, by id prefixes. Other messages occur in every tour. */
const scenariosOf: Readonly<Record<string, readonly string[]>> = {
  "watch/capabilities/": ["capabilities/client-with-"],
  "watch/elicitation-": ["elicitation/form-accept", "elicitation/url-accept"],
  "watch/no-notices-in-replay": ["session/load"],
  "watch/paths-for-the-client": ["files/", "terminals/released"],
  "watch/schema/elicitations": ["elicitation/form-accept", "elicitation/url-accept"],
  "watch/schema/files": ["files/"],
  "watch/schema/notifications": ["elicitation/url-accept"],
  "watch/schema/permissions": ["permission/allowed"],
  "watch/schema/session-list": ["session/list"],
  "watch/schema/terminals": ["terminals/released"],
  "watch/session-list-entries": ["session/list"],
  "watch/terminals-in-tool-calls": ["terminals/released"],
  "watch/tool-call": ["permission/allowed"],
  "watch/updates-before-cancelled": ["cancel/running-turn"],
};

/** Returns whether a scenario is in the tour of a watch: one plain turn, and one turn for each kind of update. */
export function isTour(id: string, { id: watch }: Pick<Watch, "id">): boolean {
  return watch.startsWith("version-2/")
    ? /^version-2\/(?:tour\/|turn$|resume$)/.test(id)
    : id.startsWith("tour/") || id === "prompt/text";
}

/** Returns whether the messages of a scenario, with this id, are needed by a watch in addition to those of the tour. */
export function isNeededBy({ id: watch }: Watch, id: string): boolean {
  return Object.entries(scenariosOf).some(
    ([prefix, scenarios]) => watch.startsWith(prefix) && scenarios.some((each) => id.startsWith(each)),
  );
}
