import type { RemoteError } from "./remote-error.js";

/**
 * What happened to the way to a server that keeps connections:
 *
 * - `lost`: the sockets broke; the client connects again, and calls stay pending. `error` says why.
 * - `restored`: it has connected again, and nothing was lost.
 */
export type ConnectionChange =
  | { readonly is: "lost"; readonly error: RemoteError | undefined }
  | { readonly is: "restored" };
