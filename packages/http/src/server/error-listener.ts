/** Options with a listener for errors. */
interface ErrorListenerOptions {
  readonly onError?: (error: unknown) => void;
}

/**
 * Returns the options with an error listener that never throws. Errors that the application's listener throws are
 * ignored, because there is no other listener to report them to, and because the request that failed still needs its
 * response.
 */
export function withQuietErrors<Options extends ErrorListenerOptions>(options: Options): Options {
  const { onError } = options;
  if (onError === undefined) return options;
  return {
    ...options,
    onError: (error: unknown) => {
      try {
        onError(error);
      } catch {
        // See above.
      }
    },
  };
}
