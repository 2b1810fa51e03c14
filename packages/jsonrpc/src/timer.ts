/** The longest delay a platform's timer can hold; a longer one would fire at once. */
const LONGEST_MS = 2_147_483_647;

/**
 * Runs `action` after `ms`, unless the returned function is called first. More than 24.8 days, `Infinity` included, means
 * never.
 *
 * A deadline must not keep a Node process alive, so the timer is unref'd where that exists, except with `keepAlive`.
 */
export function after(
  ms: number,
  action: () => void,
  { keepAlive = false }: { readonly keepAlive?: boolean } = {},
): () => void {
  if (ms > LONGEST_MS) return () => {};
  const timer = setTimeout(action, ms);
  if (!keepAlive) (timer as { unref?: () => void }).unref?.();
  return () => clearTimeout(timer);
}
