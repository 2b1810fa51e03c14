import type { PromptTurn, Session } from "@acp-kit/client";
import type { ContentBlock } from "@acp-kit/types";
import { type ReactElement, useRef } from "react";
import { useAgent } from "../../hooks/use-agent.js";
import { useTranscript } from "../../hooks/use-transcript.js";
import { useTurn } from "../../hooks/use-turn.js";
import { plainLine } from "../plain-text.js";
import { Composer, type ComposerProps } from "./composer.js";

/** Props of {@link SessionComposer}. */
export interface SessionComposerProps
  extends Pick<ComposerProps, "findFiles" | "placeholder" | "className" | "disabled"> {
  readonly session: Session | undefined;
}

/** A {@link Composer} that sends, queues and cancels a session's prompts, and suggests the agent's commands. */
export function SessionComposer({ session, disabled = false, ...rest }: SessionComposerProps): ReactElement {
  const { agent } = useAgent();
  const { activity, queued, error, send, cancel } = useTurn(session);
  const commands = useTranscript(session, (transcript) => transcript.commands);
  const keys = useRef(new WeakMap<PromptTurn, number>());
  const last = useRef(0);
  const keyOf = (turn: PromptTurn): number => {
    const known = keys.current.get(turn);
    if (known !== undefined) return known;
    last.current += 1;
    keys.current.set(turn, last.current);
    return last.current;
  };
  return (
    <>
      {error !== undefined && (
        <p className="acp-problem" role="alert">
          {plainLine(error instanceof Error ? error.message : String(error))}
        </p>
      )}
      <Composer
        {...rest}
        disabled={disabled || session === undefined}
        running={activity === "running"}
        commands={commands}
        accepts={acceptedBy(agent?.capabilities.promptCapabilities)}
        queued={queued.map((turn) => ({ key: keyOf(turn), text: textOf(turn.prompt), onRemove: () => turn.cancel() }))}
        onSend={(blocks) => void send(blocks)}
        onCancel={cancel}
      />
    </>
  );
}

function acceptedBy(capabilities: object | null | undefined): NonNullable<ComposerProps["accepts"]> {
  const { image = false, audio = false, embeddedContext = false } = (capabilities ?? {}) as Record<string, boolean>;
  return { image, audio, embeddedContext };
}

function textOf(prompt: readonly ContentBlock[]): string {
  return prompt.map((block) => (block.type === "text" ? block.text : `[${block.type}]`)).join(" ");
}
