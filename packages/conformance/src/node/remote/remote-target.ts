/** Where a server is, and how it is reached. */
export interface RemoteTarget {
  /** The endpoint. Its scheme says whether it is secure; both profiles are tried at it. */
  readonly url: URL;
  /** Headers of every request, such as `authorization`; they are in no dialogue. */
  readonly headers: Readonly<Record<string, string>>;
  /** The certificates that are trusted. @defaultValue those of Node */
  readonly trusted?: readonly string[];
  /** The limit for the head of a response, in milliseconds. */
  readonly limitMs: number;
}
