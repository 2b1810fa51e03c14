import { checkedSchema } from "../gen/v1/members.gen.js";

/**
 * The revisions that a report states in addition to the kit's version, so that a reader can verify its findings years
 * later.
 */
export const revisions: { readonly rules: string; readonly schema: string; readonly schemaSha256: string } = {
  /**
   * The revision of the rules of this package: the year and the month of the last change of a rule, a tier or a
   * scenario.
   */
  rules: "2026-11",
  ...checkedSchema,
};
