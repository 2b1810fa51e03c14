/** The beginning of {@link Finding.received} if a request got no response. All of one method are one fault. */
export const NO_RESPONSE = "no response within";
