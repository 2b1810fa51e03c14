/** A message of the peer counts as missing after this many times the duration of a comparable one: slowness breaks no rule. */
export const PATIENCE = 8;
