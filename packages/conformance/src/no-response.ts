/**
 * The beginning of {@link Finding.received} if a request got no response although the peer is running. All such
 * findings about one method are one fault.
 */
export const NO_RESPONSE = "no response within";
