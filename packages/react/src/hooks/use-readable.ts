import type { Readable } from "@acp-kit/client";
import { useSyncExternalStore } from "react";

/**
 * Returns the value of a `Readable` of `@acp-kit/client`, such as `session.options`, and renders again when it changes.
 *
 * @param onServer the value for server rendering, and for hydration in the browser.
 */
export function useReadable<T>(readable: Readable<T>, onServer: T): T {
  return useSyncExternalStore(readable.subscribe, readable.getSnapshot, () => onServer);
}
