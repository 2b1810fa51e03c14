/** How long a hidden page, which draws no frames, waits before it notifies subscribers. */
const HIDDEN_PAGE_MS = 250;

/**
 * Calls `notify` once, with the next frame of the page: an agent can send hundreds of updates in the time of one frame. A hidden page has no
 * frames, so there a timer calls it.
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
