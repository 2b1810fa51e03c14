import { type AST, RegExpParser } from "@eslint-community/regexpp";

/**
 * The maximum number of ways in which a bounded pattern may match at one position. A search costs at most this times
 * the length of the text.
 */
const MAX_WAYS = 1_000;

/**
 * Whether a pattern has no unlimited repetition, and few ways to match at any position. The work at each position is
 * then bounded, so a search takes linear time. The result says nothing about other patterns.
 */
export function isBounded(source: string, flags: string): boolean {
  const pattern = new RegExpParser({ ecmaVersion: 2025 }).parsePattern(source, 0, source.length, {
    unicode: flags.includes("u"),
    unicodeSets: flags.includes("v"),
  });
  return ways(pattern) <= MAX_WAYS;
}

/** Returns an upper bound of the ways in which a part of a pattern can match at one position. */
function ways(node: AST.Element | AST.Pattern | AST.Alternative): number {
  switch (node.type) {
    case "Pattern":
    case "Group":
    case "CapturingGroup":
      return sum(node.alternatives);
    case "Assertion":
      return "alternatives" in node ? sum(node.alternatives) : 1;
    case "Alternative":
      return node.elements.reduce((product, element) => product * ways(element), 1);
    case "Quantifier": {
      // The element's ways are chosen for each repetition, and for each number of repetitions.
      const own = ways(node.element);
      if (node.max === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
      return own === 1 ? node.max - node.min + node.max : (own + 1) ** node.max;
    }
    case "Backreference":
      return Number.POSITIVE_INFINITY;
    default:
      return 1;
  }
}

function sum(alternatives: readonly AST.Alternative[]): number {
  return alternatives.reduce((total, alternative) => total + ways(alternative), 0);
}
