/** The revisions that a report states besides the kit's version, so that its findings can be verified years later. */
export const revisions = {
  /** The revision of the rules of this package: the year and the month of the last change of a rule, a tier or a scenario. */
  rules: "2026-11",
  /** The schema of version 1 that messages are checked against. */
  schema: "@agentclientprotocol/sdk@2.4.0 schema/v1/schema.json",
  schemaSha256: "0d0b1ca83c4872e5473f68926a894c7a8203b59b118e2a79bfe43dd76fbcbc1a",
} as const;
