import { useSyncExternalStore } from "react";
import type { Signal } from "../model/signal.js";

/** Renders the component again after changes, at most once per frame. */
export function useSignal(signal: Signal): number {
  return useSyncExternalStore(signal.subscribe, signal.getVersion);
}
