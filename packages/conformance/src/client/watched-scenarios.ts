/** The scenarios that together contain every kind of message that the watches check. */
export const watchedScenarios: ReadonlySet<string> = new Set([
  "opening/stdio",
  "opening/everything-advertised",
  "opening/list-ends",
  "opening/login",
  "opening/modes",
  "opening/odd-session-id",
  "permissions/answered",
  "permissions/no-options",
  "cancellation/turn",
  "updates/modes",
  "elicitation/form",
  "messages/unknown-notification",
  "messages/ids-echoed",
  "version-2/turn",
  "version-2/upserts",
]);
