import { posix } from "node:path";
import type { SourceFile } from "./sources.js";

/** Returns the groups of files that import each other in a circle, each sorted by path. */
export function circlesOf(files: readonly SourceFile[]): string[][] {
  const graph = new Map(files.map(({ path, imports }) => [path, imports.flatMap((to) => targetOf(path, to, files))]));
  const reach = new Map([...graph.keys()].map((path) => [path, reachableFrom(path, graph)]));
  const isTogether = (one: string, other: string): boolean =>
    reach.get(one)?.has(other) === true && reach.get(other)?.has(one) === true;
  const circles: string[][] = [];
  for (const path of [...graph.keys()].sort()) {
    if (!isTogether(path, path) || circles.some((circle) => circle.includes(path))) continue;
    circles.push([...graph.keys()].filter((other) => isTogether(path, other)).sort());
  }
  return circles;
}

function targetOf(from: string, specifier: string, files: readonly SourceFile[]): string[] {
  if (!specifier.startsWith(".")) return [];
  const base = posix.join(posix.dirname(from), specifier).replace(/\.js$/, "");
  return files.flatMap(({ path }) => (path === `${base}.ts` || path === `${base}.tsx` ? [path] : []));
}

function reachableFrom(start: string, graph: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set<string>();
  const next = [...(graph.get(start) ?? [])];
  for (let path = next.pop(); path !== undefined; path = next.pop()) {
    if (seen.has(path)) continue;
    seen.add(path);
    next.push(...(graph.get(path) ?? []));
  }
  return seen;
}
