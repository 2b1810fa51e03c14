interface ErrorListenerOptions {
  readonly onError?: (error: unknown) => void;
}

/**
 * Returns the options with an error listener that never throws. Errors that the application's listener throws are
 * ignored: no other listener could receive them, and the failed request still needs its
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
        // Ignored, for the reason in the comment of the function.
      }
    },
  };
}
