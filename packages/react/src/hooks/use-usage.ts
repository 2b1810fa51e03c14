import type { Session, TranscriptSnapshot, TranscriptUsage } from "@acp-kit/client";
import { useTranscript } from "./use-transcript.js";

const usageOf = ({ usage }: TranscriptSnapshot): TranscriptUsage => usage;

/** Returns the used context, and the tokens and the cost of the session, if the agent reports them. */
export function useUsage(session: Session | undefined): TranscriptUsage {
  return useTranscript(session, usageOf);
}
