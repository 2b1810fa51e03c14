/**
 * The tag of a variant that this version of the schema does not know.
 *
 * The tag needs three properties, and only an ambient string enum has them all:
 *
 * - It is a string, so code can print it and compare it.
 * - It is a unit type that equals no literal, so `case "plan":` excludes it. A plain `string` would remain possible in
 *   every `case`, and a branded string would prevent narrowing.
 * - No code can construct it, so a misspelled tag in a sent message does not compile.
 *
 * The enum does not exist at run time: the value is the string that the peer sent.
 */
declare enum ReceivedTag {
  Unknown = "\u0000unknown",
}

/** The tag of {@link UnknownVariant}: a string that no `case` of this version matches. */
export type UnknownTag = ReceivedTag;

/**
 * A variant of a newer schema, or a variant that a vendor has defined. Its tag is a string that this version does not
 * know. All other members are unchecked and unchanged.
 *
 * This type occurs only in the types of received messages. To forward an unknown variant, send the message unchanged.
 *
 * @typeParam Tag - the member that distinguishes the variants, for example `"sessionUpdate"`.
 */
export type UnknownVariant<Tag extends string> = { readonly [Key in Tag]: UnknownTag } & {
  readonly [member: string]: unknown;
};
