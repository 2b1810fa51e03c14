/** Runs `action` after `ms`, unless the returned function is called first. It keeps no process alive; `Infinity` is never. */
export function after(ms: number, action: () => void): () => void {
  if (!Number.isFinite(ms) || ms > LONGEST_MS) return () => {};
  const timer = setTimeout(action, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}

/** Runs `action` again and again, until the returned function is called. It keeps no process alive. */
export function every(ms: number, action: () => void): () => void {
  if (!Number.isFinite(ms) || ms > LONGEST_MS) return () => {};
  const timer = setInterval(action, ms);
  (timer as { unref?: () => void }).unref?.();
  return () => clearInterval(timer);
}

/** The longest delay that a platform's timer can hold. */
const LONGEST_MS = 2_147_483_647;
