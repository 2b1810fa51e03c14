import {
  optionOfKey,
  type PermissionOption,
  type PermissionQuestion,
  permissionKeys,
  permissionView,
} from "@acp-kit/client";
import { rejectionOf, wrongKeyText } from "@acp-kit/client/internal";
import type { IncomingToolCallUpdate } from "@acp-kit/types";
import { type KeyboardEvent, type ReactElement, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { classNames } from "./class-names.js";
import { PermissionDetails } from "./permission-details.js";
import { plainLine } from "./plain-text.js";
import { useReturnedFocus } from "./use-returned-focus.js";

/** Props of {@link PermissionCard}. */
export interface PermissionCardProps {
  /** The agent's own title of the tool call that needs permission. */
  readonly title: string;
  /** The options, in the agent's order. */
  readonly options: readonly PermissionOption[];
  /**
   * Called with the option that the user chose. Escape chooses the mildest rejection, or `"cancelled"` if the agent
   * offers none. Without this function, the card only shows the request and the names of its options.
   */
  readonly onDecide?: (decision: PermissionOption | "cancelled") => void;
  /** The tool call of the request. The card shows its command, diffs, places, content and input above the options. */
  readonly toolCall?: IncomingToolCallUpdate;
  /**
   * Whether the card takes the focus when it appears, so that its keys work immediately, unless the user is writing in
   * a field. No option is focused, so Enter decides nothing.
   */
  readonly autoFocus?: boolean;
  /** More content between the title and the options. */
  readonly children?: ReactNode;
  readonly className?: string;
}

/**
 * Shows a permission request. With the focus inside, the keys `y`, `a`, `n`, `d` and 1 to 9 choose an option, the arrow
 * keys move between options, and Escape rejects the tool call. When the card disappears with the focus inside, the
 * element that had the focus before gets it again.
 */
export function PermissionCard(props: PermissionCardProps): ReactElement {
  const { title, options, onDecide, toolCall, autoFocus = false, children, className } = props;
  const keys = permissionKeys(options);
  const [problem, setProblem] = useState<string>();
  const id = useId();
  const card = useRef<HTMLFieldSetElement>(null);
  const onFocus = useReturnedFocus(card);
  useEffect(() => {
    if (autoFocus && !isWriting()) card.current?.focus();
  }, [autoFocus]);
  const onKeyDown = (event: KeyboardEvent<HTMLFieldSetElement>): void => {
    if (onDecide === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    if ((event.target as HTMLElement).matches("input, textarea, select")) return;
    // A key that is held down repeats, and must not also decide the request that appears next.
    if (event.repeat && steps[event.key] === undefined) return;
    const chosen = optionOfKey(options, event.key);
    const step = steps[event.key];
    if (chosen !== undefined) onDecide(chosen);
    else if (event.key === "Escape") onDecide(rejectionOf(options) ?? "cancelled");
    else if (step !== undefined) moveFocus(event.currentTarget, step);
    else if (/^\S$/.test(event.key)) setProblem(wrongKeyText(keys, event.key));
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <fieldset
      ref={card}
      className={classNames("acp-permission", className)}
      aria-labelledby={id}
      tabIndex={-1}
      onFocus={onFocus}
      onKeyDown={onKeyDown}
    >
      <p id={id} className="acp-permission-title">
        <span>The agent asks for permission: </span>
        <bdi>{plainLine(title) || "a tool call without a title"}</bdi>
      </p>
      {toolCall && <PermissionDetails toolCall={toolCall} />}
      {children}
      {onDecide === undefined ? (
        <p className="acp-note">{keys.map(({ option }) => plainLine(option.name, 200)).join(" · ")}</p>
      ) : (
        <div className="acp-permission-options">
          {keys.map(({ option, key, number }, index) => (
            <button
              type="button"
              // biome-ignore lint/suspicious/noArrayIndexKey: two options may have the same id, and options never move
              key={index}
              data-kind={plainLine(option.kind, 30)}
              aria-keyshortcuts={key.length > 1 ? undefined : key === String(number) ? key : `${key} ${number}`}
              onClick={() => onDecide(option)}
            >
              {key.length === 1 && <kbd aria-hidden="true">{key}</kbd>} <bdi>{plainLine(option.name, 200)}</bdi>
            </button>
          ))}
        </div>
      )}
      {problem !== undefined && (
        <p className="acp-note" role="status">
          {plainLine(problem)}
        </p>
      )}
    </fieldset>
  );
}

/** Whether the user is writing a text, whose next keys must not decide a request that appears. */
function isWriting(): boolean {
  const { activeElement } = document;
  return activeElement?.matches("input, textarea") === true && (activeElement as HTMLTextAreaElement).value !== "";
}

const steps: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

function moveFocus(card: HTMLElement, step: 1 | -1): void {
  const buttons = [...card.querySelectorAll<HTMLButtonElement>(".acp-permission-options button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const next = at < 0 ? (step > 0 ? 0 : buttons.length - 1) : (at + step + buttons.length) % buttons.length;
  buttons[next]?.focus();
}

/** Shows a permission request of `usePermissions` (a question) in a {@link PermissionCard}. */
export function PermissionQuestionCard(
  props: Pick<PermissionCardProps, "autoFocus" | "children" | "className"> & { readonly question: PermissionQuestion },
): ReactElement {
  const { question, ...rest } = props;
  return (
    <PermissionCard
      {...rest}
      title={permissionView(question.request).title}
      toolCall={question.request.toolCall}
      options={question.options}
      onDecide={(decision) =>
        void question.decide(decision === "cancelled" ? decision : { outcome: "selected", optionId: decision.optionId })
      }
    />
  );
}
