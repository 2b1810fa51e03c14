/** The address of a server, and the options of requests to it. */
export interface RemoteTarget {
  /** The endpoint. Its scheme decides whether the connection is secure; the kit tries both profiles at this address. */
  readonly url: URL;
  /** Headers of every request, such as `authorization`. Dialogues do not contain these headers. */
  readonly headers: Readonly<Record<string, string>>;
  /** The certificates that are trusted. @defaultValue those of Node */
  readonly trusted?: readonly string[];
  /** The limit for the head of a response, in milliseconds. */
  readonly limitMs: number;
}
