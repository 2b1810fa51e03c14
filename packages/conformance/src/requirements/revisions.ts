import { checkedSchema } from "../gen/v1/members.gen.js";

/** The revisions that a report states beside the kit's version, to verify its findings years later. */
export const revisions: { readonly rules: string; readonly schema: string; readonly schemaSha256: string } = {
  /** The revision of the rules of this package: the month of the last change of a rule, a tier or a scenario. */
  rules: "2026-11",
  ...checkedSchema,
};
