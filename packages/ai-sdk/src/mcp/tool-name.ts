/** The longest name of a tool that model providers accept. */
const MAX_CHARS = 64;

/** Returns a name for a tool of a server that model providers accept and that is not taken yet, and takes it. */
export function takeToolName(taken: Set<string>, server: string, tool: string): string {
  const wanted = `${server}_${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, MAX_CHARS);
  let name = wanted;
  for (let count = 2; taken.has(name); count += 1) {
    const suffix = `_${count}`;
    name = wanted.slice(0, MAX_CHARS - suffix.length) + suffix;
  }
  taken.add(name);
  return name;
}
