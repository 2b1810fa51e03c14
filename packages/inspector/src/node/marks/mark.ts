/** A fault of a recorded message: a violation of the schema, or a broken rule of the conformance kit. */
export interface Mark {
  /** The index of the entry in the recording. */
  readonly entry: number;
  readonly kind: "schema" | "rule";
  /** The id of the rule, such as `PROMPT-08`; for the schema, the path of the value. */
  readonly id: string;
  readonly message: string;
  /** The page of the specification that contains the rule. */
  readonly link?: string;
}
