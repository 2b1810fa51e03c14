import type { RemoteError } from "../wire/remote-error.js";

/**
 * What happened to the way to a server that keeps connections:
 *
 * - `lost`: the sockets broke; the client connects again, and calls stay pending. `error` says why.
 * - `restored`: it has connected again, and nothing was lost.
 */
export type ConnectionChange =
  | { readonly is: "lost"; readonly error: RemoteError | undefined }
  | { readonly is: "restored" };

/** Reports each loss and each restoration of a connection once, even if several of its streams break. A listener that throws is ignored. */
export function changeReporter(
  listener: ((change: ConnectionChange) => void) | undefined,
): (change: ConnectionChange) => void {
  let last: ConnectionChange["is"] = "restored";
  return (change) => {
    if (change.is === last) return;
    last = change.is;
    try {
      listener?.(change);
    } catch {
      // What shows the connection must not end it.
    }
  };
}
