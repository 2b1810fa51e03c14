import { useLayoutEffect } from "react";

/** `useLayoutEffect` in a browser. On a server there is no layout, and React warns about layout effects. */
export const useBrowserLayoutEffect: typeof useLayoutEffect =
  typeof document === "undefined" ? () => {} : useLayoutEffect;
