/** A deadline must not keep a Node process alive; elsewhere timers are numbers and this does nothing. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
