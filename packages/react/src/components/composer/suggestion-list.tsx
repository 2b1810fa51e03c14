import { type ReactElement, useEffect, useRef } from "react";
import { plainLine } from "../plain-text.js";
import type { Suggestion } from "./use-suggestions.js";

/** The suggestions of a composer. The focus stays in the text area. */
export function SuggestionList(props: {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  readonly onChoose: (suggestion: Suggestion) => void;
}): ReactElement {
  const { id, suggestions, active, onChoose } = props;
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: "nearest" });
  }, [active]);
  return (
    <div ref={list} id={id} className="acp-suggestions" role="listbox" aria-label="Suggestions">
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text area has the focus and handles the keys
        // biome-ignore lint/a11y/useFocusableInteractive: the text area has the focus
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: two commands may have the same name
          key={`${index} ${suggestion.label}`}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => event.preventDefault()} // the text area keeps the focus
          onClick={() => onChoose(suggestion)}
        >
          <bdi>{plainLine(suggestion.label, 200)}</bdi>{" "}
          <span className="acp-note">{plainLine(suggestion.detail, 200)}</span>
        </div>
      ))}
    </div>
  );
}
