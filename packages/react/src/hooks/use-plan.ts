import type { PlanTranscriptEntry, Session, TranscriptSnapshot } from "@acp-kit/client";
import { useTranscript } from "./use-transcript.js";

const none: PlanTranscriptEntry["entries"] = [];
const planOf = ({ plan = none }: TranscriptSnapshot): PlanTranscriptEntry["entries"] => plan;

/** Returns the agent's current plan, or an empty list if it has none. */
export function usePlan(session: Session | undefined): PlanTranscriptEntry["entries"] {
  return useTranscript(session, planOf);
}
