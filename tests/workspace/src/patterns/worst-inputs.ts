/** An input: `begin`, then `unit` repeated, then `end`. */
export type WorstInput = readonly [begin: string, unit: string, end: string];

/**
 * The patterns that recheck can't decide (it does not support lookarounds, and gives up on long alternatives), with
 * inputs that would take longest if the pattern were not linear. The test runs them at increasing lengths.
 */
export const worstInputs: readonly (readonly [pattern: RegExp, inputs: readonly WorstInput[]])[] = [
  [
    /^(?:--(?:header|env|user)=|-H(?=[\w-]+:)|-e(?=[A-Z_][A-Z0-9_]*=))/,
    [
      ["-H", "a-", " "],
      ["-e", "A_", " "],
      ["--env=", "a", ""],
      ["", "-e", ""],
    ],
  ],
  [
    /^(?:\[[^\]]*\]|[^:]+)(?=:\d+$)/,
    [
      ["", "a", ""],
      ["[", "a", ""],
      ["[", "]", ":"],
      ["a:", "1", "x"],
      ["", "a:1", ""],
    ],
  ],
  [
    /(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[\w-]{12,}/,
    [
      ["", "a", ""],
      ["", "1", ""],
      ["", "a1 ", ""],
      ["", "-", ""],
    ],
  ],
  [
    /(?<!\w)(?:Bearer|Basic)(?:\s|%20|\+){1,3}([\w.~+/=-]{8,})/gi,
    [
      ["", "Bearer+", ""],
      ["Bearer", "+", "!"],
      ["", " Bearer", ""],
      ["", "Basic%20", ""],
    ],
  ],
  [
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
    [
      ["", "-----BEGIN A", ""],
      ["", "-----BEGIN PRIVATE KEY-----", ""],
      ["-----BEGIN PRIVATE KEY-----", "-----END ", ""],
      ["-----BEGIN PRIVATE KEY-----", "-", ""],
    ],
  ],
  [
    /[?&;#]([\w.~%[\]-]{1,64})=([^\s&#"'<>`;\\]+)/g,
    [
      ["", "?", ""],
      ["", "?a", ""],
      ["?", "a", ""],
      ["", "?a=", " "],
    ],
  ],
  [
    /(?<![\w-])(?:(?:proxy-)?authorization|(?:set-)?cookie|x-[\w-]{0,40}(?:key|token|secret|auth)):[ \t]{0,3}([^\r\n"'`\\]+)/gi,
    [
      ["", "x-", ""],
      ["", " x-", ""],
      ["", " x-key", ""],
      ["", "cookie: \n", ""],
    ],
  ],
  [
    /"(?:[^"\\\r\n]|\\.)*|'(?:[^'\\\r\n]|\\.)*|`(?:[^`\\]|\\.)*|\\{1,7}["'`](?:[^"'`\\]|\\(?!\\{0,7}["'`]))*/y,
    [
      ['"', "\\", ""],
      ["'", "a\\", ""],
      ["`", "\n", ""],
      ['\\"', "\\", "x"],
      ['\\"', "\\\\a", ""],
    ],
  ],
  [
    /^-{3,}[^-]{1,100}-{3,}$/,
    [
      ["", "-", ""],
      ["---a", "-", "!"],
      ["---", "a", "---"],
    ],
  ],
  [
    /^\s*\{[^{}[\]]{0,200}"method"\s*:\s*"([^"\\\p{Cc}]{1,200})"/u,
    [
      ["", " ", "x"],
      ["{", '"method"', ""],
      ['{"method"', " ", "x"],
      ['{"method":', " ", "x"],
      ['{"method":"', "a", ""],
    ],
  ],
  [
    /^\s*\{[^{}[\]]{0,300}"id"\s*:\s*(-?\d{1,15}|"[^"\\\p{Cc}]{1,200}")\s*[,}]/u,
    [
      ["", " ", "x"],
      ["{", '"id"', ""],
      ['{"id"', " ", "x"],
      ['{"id":', " ", "x"],
      ['{"id":1', " ", "x"],
    ],
  ],
  [
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes escape sequences
    /\u001b(?!\[)[ -/]*[0-~]?/g,
    [
      ["", "\u001b", ""],
      ["\u001b", "/", "\0"],
      ["", "\u001b ", ""],
      ["", "\u001b[", ""],
    ],
  ],
];

/**
 * The patterns that are built from text, by file, with the test that runs them on their worst inputs, or the reason why
 * they need none.
 */
export const builtPatterns: Readonly<
  Record<string, { readonly calls: number; readonly test?: string; readonly because?: string }>
> = {
  "packages/acp-kit/src/node/chat/text/clean.ts": {
    calls: 2,
    test: "packages/acp-kit/src/node/chat/text/hostile-text.test.ts",
  },
  "packages/acp-kit/src/node/chat/text/strip-escapes.ts": {
    calls: 1,
    test: "packages/acp-kit/src/node/chat/text/hostile-text.test.ts",
  },
  "packages/acp-kit/src/node/chat/text/units.ts": {
    calls: 2,
    test: "packages/acp-kit/src/node/chat/text/hostile-text.test.ts",
  },
  "packages/jsonrpc/src/excerpt-head.ts": { calls: 1, test: "tests/promises/src/hostile-texts.test.ts" },
  "packages/protocol/src/secret-places.ts": { calls: 2, test: "packages/redact/src/hostile-text.test.ts" },
  "packages/redact/src/secret-text.ts": { calls: 5, test: "packages/redact/src/hostile-text.test.ts" },
  "packages/testing/src/script/choices.ts": {
    calls: 1,
    because: "the pattern is one that the author of a test wrote, copied without its position",
  },
};
