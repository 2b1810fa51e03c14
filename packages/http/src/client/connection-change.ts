import type { RemoteError } from "../wire/remote-error.js";

/**
 * A change of a connection to a server that supports reconnecting:
 *
 * - `lost`: the sockets broke, because of `error`. The client tries to connect again, and calls stay pending.
 * - `restored`: the client has connected again. No message was lost.
 */
export type ConnectionChange =
  | { readonly is: "lost"; readonly error: RemoteError | undefined }
  | { readonly is: "restored" };

/**
 * Returns a function that reports each loss and each restoration of a connection once, even if several of its streams
 * break. Errors of the listener are ignored.
 */
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
      // An error of the listener must not end the connection.
    }
  };
}
