import type { TranscriptEntry } from "@acp-kit/client";
import { useVirtualizer } from "@tanstack/react-virtual";
import { memo, type ReactElement, type ReactNode, useCallback, useRef, useState } from "react";
import { classNames } from "./class-names.js";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect.js";

/** Props of {@link MessageList}. */
export interface MessageListProps {
  /**
   * The entries of a transcript. If the application shows another session, it must create a new list, for example with
   * the session's id as `key`, because the position and the opened entries belong to one session.
   */
  readonly entries: readonly TranscriptEntry[];
  /** Renders one entry. Pass the same function in each render, so that unchanged entries are not rendered again. */
  readonly renderEntry: (entry: TranscriptEntry, index: number) => ReactNode;
  /** The name of the list for assistive technology; by default "Conversation". */
  readonly label?: string;
  /** The assumed height of an entry that was not rendered yet, in pixels. The default is 80. */
  readonly estimatedHeight?: number;
  /** The number of additional entries that are rendered above and below the visible entries. The default is 6. */
  readonly overscan?: number;
  /** The content that is shown if the list is empty. */
  readonly empty?: ReactNode;
  readonly className?: string;
}

/** If the list is scrolled to within this distance from its end, in pixels, it follows new entries. */
const NEAR_END = 48;

/**
 * Lists the entries of a transcript, and renders only those that are visible. The list stays scrolled to its end while
 * entries arrive or become longer. After the user has scrolled up, it keeps its position, and a button leads back to
 * the end.
 */
export function MessageList(props: MessageListProps): ReactElement {
  const { entries, renderEntry, label = "Conversation", estimatedHeight = 80, overscan = 6, empty, className } = props;
  const list = useRef<HTMLDivElement>(null);
  const isFollowing = useRef(true);
  const [isAway, setAway] = useState(false);
  const virtualizer = useVirtualizer({
    count: entries.length,
    getScrollElement: () => list.current,
    estimateSize: () => estimatedHeight,
    getItemKey: (index) => entries[index]?.key ?? index,
    overscan,
  });
  const height = virtualizer.getTotalSize();

  const toEnd = useCallback(() => {
    const element = list.current;
    if (element !== null) element.scrollTop = element.scrollHeight;
  }, []);
  useBrowserLayoutEffect(() => {
    if (isFollowing.current) toEnd();
  }, [entries, height, toEnd]);

  const lastTop = useRef(0);
  const onScroll = (): void => {
    const element = list.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isNear = scrollHeight - scrollTop - clientHeight <= NEAR_END;
    // The distance to the end also increases when content becomes longer. So only an upward scroll shows that the user
    // has left the end.
    if (isNear) isFollowing.current = true;
    else if (scrollTop < lastTop.current) isFollowing.current = false;
    lastTop.current = scrollTop;
    setAway(!isFollowing.current);
  };
  const onJump = (): void => {
    isFollowing.current = true;
    setAway(false);
    toEnd();
    list.current?.focus();
  };

  return (
    <div className={classNames("acp-messages", className)}>
      <div
        ref={list}
        className="acp-message-list"
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onScroll={onScroll}
      >
        {entries.length === 0 && empty}
        <div className="acp-message-space" style={{ height, position: "relative" }}>
          {virtualizer.getVirtualItems().map(({ key, index, start }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="acp-message-item"
                style={{ position: "absolute", insetInline: 0, top: 0, transform: `translateY(${start}px)` }}
              >
                <Item entry={entry} index={index} renderEntry={renderEntry} />
              </div>
            );
          })}
        </div>
      </div>
      {isAway && (
        <button type="button" className="acp-to-end" onClick={onJump}>
          Go to the end
        </button>
      )}
    </div>
  );
}

const Item = memo(function Item(props: {
  readonly entry: TranscriptEntry;
  readonly index: number;
  readonly renderEntry: MessageListProps["renderEntry"];
}): ReactNode {
  return props.renderEntry(props.entry, props.index);
});
