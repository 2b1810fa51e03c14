import type { Session, TranscriptSnapshot } from "@acp-kit/client";
import type { PlanEntry } from "@acp-kit/types";
import { useTranscript } from "./use-transcript.js";

const none: readonly PlanEntry[] = [];
const planOf = ({ plan = none }: TranscriptSnapshot): readonly PlanEntry[] => plan;

/** Returns the agent's current plan, or an empty list if it has none. */
export function usePlan(session: Session | undefined): readonly PlanEntry[] {
  return useTranscript(session, planOf);
}
