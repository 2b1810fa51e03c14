/** The beginning of {@link Finding.received} for a request that got no response although the peer runs. Such findings about one method are one fault. */
export const NO_RESPONSE = "no response within";
