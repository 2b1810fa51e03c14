import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import { root } from "@acp-kit/configs/packages";
import { describe, expect, it } from "vitest";
import { isBounded } from "./is-bounded.js";
import { listPatterns, type PatternLiteral } from "./pattern-list.js";
import { builtPatterns, worstInputs } from "./worst-inputs.js";

const { literals, built } = listPatterns();
const textOf = ({ source, flags }: PatternLiteral): string => `/${source}/${flags}`;
const unbounded = literals.filter(({ source, flags }) => !isBounded(source, flags));

const hasWorstInputs = new Set(worstInputs.map(([pattern]) => String(pattern)));

/** The patterns that recheck has proved linear, one per line. Proving all of them takes minutes. */
const provedFile = new URL("proved-linear.txt", import.meta.url);
const proved = new Set(readFileSync(provedFile, "utf8").trimEnd().split(/\r?\n/));
/** Whether a pattern must be checked. `PROVE_ALL_PATTERNS=1` checks the patterns of the file again. */
const isOpen = (text: string): boolean => process.env.PROVE_ALL_PATTERNS === "1" || !proved.has(text);

describe("every regular expression in the sources of the packages", () => {
  it("is found in every package", () => {
    expect(literals.length).toBeGreaterThan(250);
    expect(isBounded("^[a-z]{1,20}(?:x|y)?$", "i")).toBe(true);
    expect(["(\\\\+)$", "a*", "(a{1,9}){1,9}", "(.)\\1"].filter((source) => isBounded(source, ""))).toEqual([]);
  });

  // If a pattern fails here, rewrite it, or apply it only to bounded text and list it in `worst-inputs.ts`.
  it("hostile.linear-patterns: is bounded, proved linear, or run on its worst inputs", {
    timeout: 900_000,
  }, async () => {
    const open = unbounded.filter((literal) => !hasWorstInputs.has(textOf(literal)) && isOpen(textOf(literal)));
    const judged = await Promise.all(open.map(async (literal) => ({ literal, verdict: await verdictOf(literal) })));
    const found = judged
      .filter(({ literal, verdict }) => verdict !== "linear" || !proved.has(textOf(literal)))
      .map(({ literal, verdict }) =>
        verdict === "linear"
          ? `proved linear, add it to proved-linear.txt: ${textOf(literal)}`
          : `${verdict}: ${textOf(literal)} at ${literal.places.join(", ")}`,
      );
    expect(found).toEqual([]);
  });

  it.each(worstInputs)("hostile.linear-patterns: is linear on its worst inputs: %s", async (pattern, inputs) => {
    for (const [begin, unit, end] of inputs) {
      const match = (length: number): unknown => {
        pattern.lastIndex = 0;
        return pattern.exec(begin + unit.repeat(length / unit.length) + end);
      };
      expect(await growthOf(match), begin + unit + end).toBeLessThan(LINEAR);
    }
  });

  it("still exists if a list contains it", () => {
    const texts = new Set(unbounded.map(textOf));
    expect([...proved, ...hasWorstInputs].filter((text) => !texts.has(text))).toEqual([]);
  });

  it("has a test that runs it if it is built from a string", () => {
    const calls: Record<string, number> = {};
    for (const { file } of built) calls[file] = (calls[file] ?? 0) + 1;
    expect(calls).toEqual(Object.fromEntries(Object.entries(builtPatterns).map(([file, own]) => [file, own.calls])));
    for (const [file, { test, because }] of Object.entries(builtPatterns)) {
      expect((test === undefined) !== (because === undefined), file).toBe(true);
      if (test !== undefined) expect(existsSync(join(root, test)), test).toBe(true);
    }
  });
});

/** Returns recheck's verdict on a pattern: `linear`, or the reason why not. */
async function verdictOf({ source, flags }: PatternLiteral): Promise<string> {
  process.env.RECHECK_SYNC_BACKEND = "pure"; // Without Java and without recheck's native program.
  const { checkSync } = await import("recheck");
  const found = checkSync(source, flags, { checker: "automaton", timeout: 60_000 });
  if (found.status === "safe") return "linear";
  if (found.status === "vulnerable") return `${found.complexity.summary}, by ${found.attack.pattern}`;
  return `not decided (${found.error.kind})`;
}
