/** The address of a server, and the options of requests to it. */
export interface RemoteTarget {
  /** The endpoint. Its scheme says whether it is secure; both profiles are tried at it. */
  readonly url: URL;
  /** Headers of every request, such as `authorization`; dialogues do not contain them. */
  readonly headers: Readonly<Record<string, string>>;
  /** The certificates that are trusted. @defaultValue those of Node */
  readonly trusted?: readonly string[];
  /** The limit for the head of a response, in milliseconds. */
  readonly limitMs: number;
}
