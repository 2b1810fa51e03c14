/** How long a hidden page waits before it notifies subscribers, in milliseconds. A hidden page draws no frames. */
const HIDDEN_PAGE_MS = 250;

/**
 * Calls `notify` once, before the next frame of the page, because an agent can send hundreds of updates in the time of
 * one frame. A hidden page has no frames, so a timer calls `notify` there.
 */
export function onNextFrame(notify: () => void): void {
  if (typeof requestAnimationFrame !== "function") {
    setTimeout(notify, 0);
    return;
  }
  let frame = 0;
  const timer = setTimeout(() => {
    cancelAnimationFrame(frame);
    notify();
  }, HIDDEN_PAGE_MS);
  frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    notify();
  });
}
