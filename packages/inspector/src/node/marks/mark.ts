/** A problem of a recorded message: a violation of the schema, or a broken rule of the conformance kit. */
export interface Mark {
  /** The index of the entry in the recording. */
  readonly entry: number;
  readonly kind: "schema" | "rule";
  /** The id of the broken rule, such as `PROMPT-08`. For a violation of the schema, the path of the invalid value. */
  readonly id: string;
  readonly message: string;
  /** The page of the specification that contains the rule. */
  readonly link?: string;
}
