/**
 * The tag of a variant that this version of the schema does not know.
 *
 * Only an ambient string enum has all three properties that are needed. It is a string, so it can be printed and
 * compared. It is a unit type that equals no literal, so that `case "plan":` excludes it. With a plain `string`, the
 * type would remain possible in every `case`; a branded string would prevent narrowing. And no code can construct it,
 * so a misspelled tag in a sent message does not compile. The enum does not exist at run time: the value is the string
 * that the peer sent.
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
