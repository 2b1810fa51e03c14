import { useSyncExternalStore } from "react";
import type { Signal } from "../model/signal.js";

/** Renders again after each change, once in a frame. */
export function useSignal(signal: Signal): number {
  return useSyncExternalStore(signal.subscribe, signal.getVersion);
}
