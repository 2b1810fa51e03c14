import { type FocusEvent, type RefObject, useRef } from "react";
import { useBrowserLayoutEffect } from "./use-browser-layout-effect.js";

/**
 * Returns the handler `onFocus` of an element that disappears after the user has responded. If the element then
 * contains the focus, the element that had the focus before gets it again. Otherwise the page would have no focus, and
 * its keys no effect.
 */
export function useReturnedFocus(element: RefObject<HTMLElement | null>): (event: FocusEvent) => void {
  const before = useRef<HTMLElement | undefined>(undefined);
  useBrowserLayoutEffect(() => {
    const shown = element.current;
    return () => {
      if (shown?.contains(document.activeElement) && before.current?.isConnected) before.current.focus();
    };
  }, [element]);
  return ({ currentTarget, relatedTarget }) => {
    if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget)) before.current = relatedTarget;
  };
}
