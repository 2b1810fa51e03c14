/**
 * The tag of a variant that this version of the schema does not know.
 *
 * An ambient string enum, because only that has all three properties: it is a string, so it can be printed and compared; it is
 * a unit type that equals no literal, so `case "plan":` narrows it away (a bare `string` would stay in every case, and a
 * branded one would stop narrowing altogether); and no code can construct it, so a misspelled tag on the way out does not
 * compile. It does not exist at run time: the string is the one that the peer sent.
 */
declare enum ReceivedTag {
  Unknown = "\u0000unknown",
}

/** The tag of {@link UnknownVariant}: a string that no `case` of this version matches. */
export type UnknownTag = ReceivedTag;

/**
 * A variant of a newer schema, or of a vendor's: its tag is a string that this version does not know, and all other members are
 * unchecked and unchanged.
 *
 * It appears only in received types. To forward one, send the message unchanged.
 *
 * @typeParam Tag - the member that distinguishes the variants, for example `"sessionUpdate"`.
 */
export type UnknownVariant<Tag extends string> = { readonly [Key in Tag]: UnknownTag } & {
  readonly [member: string]: unknown;
};
