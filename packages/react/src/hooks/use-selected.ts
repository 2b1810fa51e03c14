import type { Readable } from "@acp-kit/client";
import { useEffect, useMemo, useRef, useSyncExternalStore } from "react";

/** Returns a part of a readable value. Renders only when the part changes, also with a new selector. */
export function useSelected<T, Part>(
  source: Readable<T>,
  onServer: T,
  selector: (value: T) => Part,
  isEqual: (a: Part, b: Part) => boolean,
): Part {
  const shown = useRef<{ readonly part: Part } | undefined>(undefined);
  const [getPart, getServerPart] = useMemo(() => {
    let last: { readonly of: T; readonly part: Part } | undefined;
    const select = (value: T): Part => {
      if (last !== undefined && Object.is(last.of, value)) return last.part;
      const before = last ?? shown.current;
      const next = selector(value);
      const part = before !== undefined && isEqual(before.part, next) ? before.part : next;
      last = { of: value, part };
      return part;
    };
    return [() => select(source.snapshot), () => select(onServer)];
  }, [source, onServer, selector, isEqual]);
  const part = useSyncExternalStore(source.subscribe, getPart, getServerPart);
  useEffect(() => {
    shown.current = { part };
  }, [part]);
  return part;
}
