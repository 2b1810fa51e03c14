import type { AvailableCommand, ContentBlock } from "@acp-kit/types";
import {
  type ChangeEvent,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactElement,
  type SyntheticEvent,
  useId,
  useRef,
  useState,
} from "react";
import { classNames } from "../class-names.js";
import { plainLine } from "../plain-text.js";
import { type AcceptedContent, type Attachment, attachmentOf } from "./attachments.js";
import { type CompletionQuery, type FileSuggestion, mentionedFiles, queryAt } from "./completion.js";
import { SuggestionList } from "./suggestion-list.js";
import { type FindFiles, type Suggestion, useSuggestions } from "./use-suggestions.js";

/** A queued prompt, which is sent after the running turn. */
export interface ComposerQueueEntry {
  readonly key: string | number;
  readonly text: string;
  readonly onRemove: () => void;
}

/** Props of {@link Composer}. */
export interface ComposerProps {
  /** Called when the user sends the prompt. `blocks` has at least one element. */
  readonly onSend: (blocks: ContentBlock[]) => void;
  /** Whether a turn runs. The composer then queues prompts, and shows a button that cancels the turn. */
  readonly running?: boolean;
  readonly onCancel?: () => void;
  /** The prompts that wait until the running turn has ended. */
  readonly queued?: readonly ComposerQueueEntry[];
  /** The agent's commands. The composer suggests them after a `/` at the beginning of the prompt. */
  readonly commands?: readonly AvailableCommand[];
  /** Finds the files to suggest after `@`; none by default. Pass the same function in each render. */
  readonly findFiles?: FindFiles;
  /** The kinds of content that the agent accepts: its `promptCapabilities`. Without any, files can't be attached. */
  readonly accepts?: AcceptedContent | undefined;
  readonly disabled?: boolean;
  readonly placeholder?: string;
  readonly className?: string;
}

const noCommands: readonly AvailableCommand[] = [];

/**
 * The input field of a chat. Enter sends the prompt, and Shift+Enter begins a new line. `/` suggests the agent's
 * commands, and `@` suggests files. The user can attach, paste and drop files of the kinds that the agent accepts.
 * While a turn runs, a new prompt is queued, and the user can remove queued prompts.
 */
export function Composer(props: ComposerProps): ReactElement {
  const { onSend, onCancel, queued = [], commands = noCommands, findFiles, accepts = {} } = props;
  const { running = false, disabled = false, placeholder = "Write to the agent", className } = props;
  const id = useId();
  const input = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [query, setQuery] = useState<CompletionQuery>();
  const [selected, setSelected] = useState(0);
  const [files, setFiles] = useState<readonly FileSuggestion[]>([]);
  const [attached, setAttached] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState("");
  const [reading, setReading] = useState(0);
  const nextId = useRef(0);
  const suggestions = useSuggestions(query, commands, findFiles);
  const isSuggesting = suggestions.length > 0;
  const active = Math.max(0, Math.min(selected, suggestions.length - 1)); // a new list can be shorter
  const canAttach = Boolean(accepts.image || accepts.audio || accepts.embeddedContext);
  const isEmpty = text.trim() === "" && attached.length === 0;
  const canSend = !isEmpty && !disabled && reading === 0; // a file that is being read belongs to this prompt

  const onType = (event: ChangeEvent<HTMLTextAreaElement>): void => {
    const { value, selectionStart } = event.currentTarget;
    setText(value);
    setQuery(queryAt(value, selectionStart));
    setSelected(0);
  };
  const send = (): void => {
    if (!canSend) return;
    const links = mentionedFiles(files, text).map(
      ({ path, uri }): ContentBlock => ({ type: "resource_link", name: path, uri }),
    );
    const written: ContentBlock[] = text.trim() === "" ? [] : [{ type: "text", text }];
    onSend([...written, ...links, ...attached.map(({ block }) => block)]);
    setText("");
    setFiles([]);
    setAttached([]);
    setQuery(undefined);
    setProblem("");
  };
  const complete = (suggestion: Suggestion | undefined): void => {
    if (suggestion === undefined || query === undefined) return;
    setText(text.slice(0, query.from) + suggestion.text + text.slice(query.to));
    if (suggestion.file !== undefined) setFiles([...files, suggestion.file]);
    setQuery(undefined);
    const caret = query.from + suggestion.text.length;
    queueMicrotask(() => input.current?.setSelectionRange(caret, caret));
    input.current?.focus();
  };
  const attach = async (chosen: readonly File[]): Promise<void> => {
    setProblem("");
    setReading((count) => count + 1);
    for (const file of chosen) {
      try {
        const block = await attachmentOf(file, accepts);
        nextId.current += 1;
        const attachment = { id: nextId.current, name: file.name, block };
        setAttached((before) => [...before, attachment]);
      } catch (error) {
        setProblem(error instanceof Error ? error.message : `${file.name} can't be read.`);
      }
    }
    setReading((count) => count - 1);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (isSuggesting && step !== 0) setSelected((active + step + suggestions.length) % suggestions.length);
    else if (isSuggesting && (event.key === "Enter" || event.key === "Tab")) complete(suggestions[active]);
    else if (isSuggesting && event.key === "Escape") setQuery(undefined);
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  const onPaste = (event: ClipboardEvent): void => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0 || !canAttach) return;
    event.preventDefault();
    void attach(pasted);
  };

  return (
    <form
      className={classNames("acp-composer", className)}
      onSubmit={(event: SyntheticEvent) => {
        event.preventDefault();
        send();
      }}
      onDragOver={(event) => canAttach && event.preventDefault()}
      onDrop={(event) => {
        if (!canAttach) return;
        event.preventDefault();
        void attach([...event.dataTransfer.files]);
      }}
    >
      {queued.length > 0 && (
        <ul className="acp-queue" aria-label="Queued prompts">
          {queued.map((prompt) => (
            <li key={prompt.key}>
              <bdi>{plainLine(prompt.text, 200)}</bdi>{" "}
              <button
                type="button"
                aria-label={`Remove the queued prompt: ${plainLine(prompt.text, 60)}`}
                onClick={() => {
                  prompt.onRemove();
                  input.current?.focus(); // the button disappears
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      {attached.length > 0 && (
        <ul className="acp-attachments" aria-label="Attached files">
          {attached.map(({ id: key, name }) => (
            <li key={key}>
              {plainLine(name, 100)}{" "}
              <button
                type="button"
                aria-label={`Remove ${plainLine(name, 60)}`}
                onClick={() => {
                  setAttached((before) => before.filter((each) => each.id !== key));
                  input.current?.focus(); // the button disappears
                }}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <p className="acp-problem" role="alert">
        {problem}
      </p>
      {isSuggesting && (
        <SuggestionList id={`${id}list`} suggestions={suggestions} active={active} onChoose={complete} />
      )}
      <div className="acp-composer-row">
        <textarea
          ref={input}
          value={text}
          rows={Math.min(10, text.split("\n", 10).length)}
          placeholder={placeholder}
          aria-label={placeholder}
          aria-autocomplete="list"
          aria-controls={isSuggesting ? `${id}list` : undefined}
          aria-activedescendant={isSuggesting ? `${id}list-${active}` : undefined}
          disabled={disabled}
          onChange={onType}
          onKeyDown={onKeyDown}
          onBlur={() => setQuery(undefined)}
          onPaste={onPaste}
        />
        {canAttach && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                void attach([...(event.currentTarget.files ?? [])]);
                event.currentTarget.value = "";
              }}
            />
            <button type="button" disabled={disabled} onClick={() => picker.current?.click()}>
              Attach
            </button>
          </>
        )}
        {running && onCancel !== undefined && (
          <button type="button" className="acp-cancel" onClick={onCancel}>
            Stop
          </button>
        )}
        <button type="submit" className="acp-send" disabled={!canSend}>
          {running ? "Queue" : "Send"}
        </button>
      </div>
    </form>
  );
}
