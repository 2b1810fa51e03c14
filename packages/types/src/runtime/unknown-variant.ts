/**
 * The tag of a variant that this version of the schema does not know.
 *
 * An ambient string enum, because nothing else does all three: it is a string, so it can be printed and compared; it is
 * a unit type that equals no literal, so `case "plan":` narrows it away (a bare `string` would stay in every case, and a
 * branded one would stop narrowing altogether); and nobody can write it, so a misspelled tag on the way out does not
 * compile. There is no such value at run time: the string is whatever the peer sent.
 */
declare enum ReceivedTag {
  Unknown = "\u0000unknown",
}

/** What {@link UnknownVariant} has for a tag: some string that no `case` of this version matches. */
export type UnknownTag = ReceivedTag;

/**
 * A variant of a newer schema, or of a vendor's: its tag is a string that this version does not know, and everything
 * beside it is unchecked and unchanged.
 *
 * It stands only in types of what arrives. To forward one, send the message as it came.
 *
 * @typeParam Tag - the member that tells the variants apart, for example `"sessionUpdate"`.
 */
export type UnknownVariant<Tag extends string> = { readonly [Key in Tag]: UnknownTag } & {
  readonly [member: string]: unknown;
};
