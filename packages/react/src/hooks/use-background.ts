import type { Session, TranscriptSnapshot } from "@acp-kit/client";
import type { KnownBackgroundWork } from "@acp-kit/types/v2";
import { useCallback } from "react";
import { useTranscript } from "./use-transcript.js";

/** The result of {@link useBackground}. */
export interface UseBackground {
  /** The tool calls and terminals that continue after their turn; `undefined` if the agent does not report them. */
  readonly work: TranscriptSnapshot["background"];
  /**
   * Stops a tool call or a terminal of the agent alone, in the background or not. Resolves when the agent has accepted
   * that; the end arrives in the transcript.
   *
   * @throws {CapabilityError} when the agent can't stop it alone, as in version 1.
   */
  readonly stop: (work: KnownBackgroundWork) => Promise<void>;
}

const workOf = ({ background }: TranscriptSnapshot): TranscriptSnapshot["background"] => background;

/** Returns the work of the agent that continues after its turn, and a function that stops work. */
export function useBackground(session: Session | undefined): UseBackground {
  const work = useTranscript(session, workOf);
  const stop = useCallback(
    async (part: KnownBackgroundWork): Promise<void> => {
      if (part.type === "terminal") await session?.cancelTerminal(part.terminalId);
      else await session?.cancelToolCall(part.toolCallId);
    },
    [session],
  );
  return { work, stop };
}
