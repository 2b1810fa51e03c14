import type { Session, TranscriptSnapshot, TranscriptUsage } from "@acp-kit/client";
import { useTranscript } from "./use-transcript.js";

const usageOf = ({ usage }: TranscriptSnapshot): TranscriptUsage => usage;

/** Returns how full the model's context is, the tokens of the session, and its cost, as far as the agent reports them. */
export function useUsage(session: Session | undefined): TranscriptUsage {
  return useTranscript(session, usageOf);
}
