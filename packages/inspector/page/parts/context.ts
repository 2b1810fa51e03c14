import { createContext, useContext } from "react";
import type { PromptQueue } from "../model/prompt-queue.js";
import type { ServerLink } from "../model/server-link.js";
import type { WireStore } from "../model/wire-store.js";
import { useSignal } from "./use-signal.js";

/** The objects that all parts of the page share. */
export interface Inspected {
  readonly store: WireStore;
  readonly link: ServerLink;
  readonly prompts: PromptQueue;
}

export const InspectedContext = createContext<Inspected | undefined>(undefined);

/** Returns the recorded messages and the connection to the inspector, and renders when that changes. */
export function useInspected(): Inspected {
  const inspected = useContext(InspectedContext);
  if (inspected === undefined) throw new Error("There is no <InspectedContext.Provider>");
  useSignal(inspected.link.signal);
  return inspected;
}
