import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, SecretRedactor } from "./redactor.js";

/** A few texts for each pattern. A search that is not linear would start again at each character of these texts. */
const units: readonly string[] = [
  ...[
    "a",
    "eyJ-",
    "eyJaaaaaaaa.",
    "sk-",
    "sk-a",
    "ghp_",
    "github_pat_a",
    "glpat-",
    "npm_",
    "hf_a",
    "xoxb-",
    "AIza",
    "AKIA",
    "ya29.a",
    "xai-",
  ],
  ...["Bearer ", "Bearer a", "Basic aaaaaaaaaaaaaaaaaa ", "bearer%20", "hooks.slack.com/services/"],
  ...["-----BEGIN PRIVATE KEY-----", "-----BEGIN RSA ", "-----END ", "-"],
  ...["://", "x://", "x://a:", "x://a@", "://a.", "://aaaaaaaaaaaaaaa-", "x://a:b@", "://a://", ":\\/\\/", "x://a:/@"],
  ...["?", "?a=", "?token=", "&key=", ";a=b", "#code=x", "?a.a.a"],
  ...["--", "--a ", "--a=", "--token ", "--token=", '--token="', "--a--", "-H "],
  ...[
    "PASSWORD=",
    "PASSWORD=abcdefg ",
    "TOKEN='",
    "API_KEY=`",
    ";password=",
    ";pwd = ",
    "x-key:",
    "x-key: a",
    "x-aaaa",
    "cookie:\n",
  ],
  ...[
    "token ",
    "token=",
    "token:  ",
    "token=>",
    "TOKEN=[redacted",
    "token:[redacted",
    "--token=[redacted/",
    "token='",
    'token="',
    'token=\\"',
    "token:\\\\\\",
    'token:\\\\"\\',
    "authorization: ",
    "authorization=\\",
  ],
  ...[
    '"',
    "'",
    "`",
    "\\",
    '\\"',
    '"\\',
    "{",
    "[",
    "}",
    "]",
    '{"a":',
    '["',
    '{"a":"\\"',
    "{'a':'",
    '"{"',
    "{env:[",
    '{"env":{"a":"b12345678"},',
    '{"name":"x","value":"',
  ],
];

const LENGTH = 500_000;

describe("redaction takes linear time", () => {
  it.each(units)("hostile.redaction: of a text that repeats %j", async (unit) => {
    const redact = (size: number): void => {
      const text = unit.repeat(Math.ceil(size / unit.length));
      const redactor = createRedactor();
      expect(redactor.redactText(text)).not.toBe("");
      expect(redactor.redact({ text })).toBeTypeOf("object");
      expect(redactor.lines()(text)).not.toBe("");
    };
    expect(await growthOf(redact)).toBeLessThan(LINEAR);
  });

  it("hostile.redaction: of secrets that contain each other and repeat themselves", () => {
    const redactor = createRedactor();
    for (let n = 1; n < 60; n += 1) redactor.addSecret(`${"ab".repeat(4 * n)}c`);
    const text = "ab".repeat(LENGTH);
    expect(redactor.redactText(text).startsWith("abab")).toBe(true);
    expect(redactor.redactText(`${text}c`)).toMatch(/^(?:ab)+\[redacted\]$/);
    const lines = redactor.lines();
    for (let n = 0; n < 1_000; n += 1) lines("ab");
    expect(lines("x")).toMatch(/x$/);
  });

  it("hostile.redaction: of values of any depth, width and number of names", () => {
    const redactor = createRedactor();
    const deep = JSON.parse(`${'{"a":['.repeat(100_000)}${"]}".repeat(100_000)}`) as unknown;
    expect(JSON.stringify(redactor.redact(deep))).toContain("[redacted: nested too deep]");
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    expect(redactor.redact({ cycle, token: "x" })).toMatchObject({ cycle: expect.any(Array) });
    const wide = { args: Array.from({ length: 100_000 }, (_, n) => `--a=${n}`) };
    expect(redactor.redact(wide)).toBe(wide);
    const named = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`value${n}`, n]));
    expect(redactor.redact({ ...named, name: "token", value: "Zq7MARK9f3a8c" })).toMatchObject({ value: "[redacted]" });
  });

  it("hostile.redaction: with a limit of 256 secrets", () => {
    const redactor = createRedactor();
    for (let n = 0; n < 256; n += 1) redactor.addSecret(`secret-number-${n}`);
    expect(redactor.isFull).toBe(false);
    redactor.addSecret("one-secret-more");
    expect(redactor.isFull).toBe(true);
  });

  it("hostile.redaction: with at most maxSecrets remembered secrets, after which isFull is true", () => {
    const redactor = new SecretRedactor({ maxSecrets: 100, maxSecretChars: 10_000 });
    redactor.learn({ env: { FIRST: "first-secret-1234" } });
    for (let n = 0; n < 2_000; n += 1) redactor.redact({ _meta: { token: `flood-${n}-${"x".repeat(n)}` } });
    expect(redactor.isFull).toBe(true);
    expect(redactor.redactText("it is first-secret-1234")).toBe("it is [redacted]");
    expect(redactor.redact({ _meta: { token: "one more of them" } })).toEqual({ _meta: { token: "[redacted]" } });
  });

  it("hostile.redaction: with a new long secret in each message", () => {
    const redactor = createRedactor();
    for (let n = 0; n < 256; n += 1) redactor.redact({ _meta: { token: longSecret(n, 255, 0x4e00, 20_000) } });
    expect(redactor.isFull).toBe(true);
    expect(redactor.redactText(`it is ${longSecret(0, 255, 0x4e00, 20_000)}.`)).toBe("it is [redacted].");
    const other = createRedactor();
    for (let n = 0; n < 256; n += 1) other.redact({ _meta: { token: longSecret(n, 64, 0x41, 50) } });
    for (let n = 0; n < 256; n += 1) expect(other.redactText(longSecret(n, 64, 0x41, 50))).toBe("[redacted]");
  });

  it("hostile.redaction: with many long secrets in one message", () => {
    const redactor = createRedactor();
    const list = Array.from({ length: 256 }, (_, n) => ({ token: longSecret(n, 255, 0x4e00, 20_000) }));
    expect(redactor.redact({ list })).toEqual({ list: list.map(() => ({ token: "[redacted]" })) });
  });

  it("hostile.redaction: of members with names like constructor and __proto__", () => {
    const value = JSON.parse(
      '{"__proto__":{"env":{"constructor":"Zq7MARK9f3a8c"}},"constructor":{"token":"Zq7MARK9f3a8c"}}',
    ) as unknown;
    const shown = JSON.stringify(createRedactor().redact(value));
    expect(shown).toBe('{"__proto__":{"env":{"constructor":"[redacted]"}},"constructor":{"token":"[redacted]"}}');
  });
});

describe("any secret", () => {
  const secret = fc
    .string({ unit: "binary", minLength: 12, maxLength: 600 })
    .filter((text) => /^[^\s\r\n]+$/.test(text) && !text.includes("[red"));
  const around = fc.oneof(
    { weight: 3, arbitrary: fc.string({ maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ minLength: 1_000, maxLength: 20_000 }) },
  );

  it("secret.by-value: is hidden in any text around it, in any encoding", () => {
    fc.assert(
      fc.property(secret, around, around, fc.nat(6), (value, before, after, form) => {
        const redactor = createRedactor();
        redactor.addSecret(value);
        const raw = `${before}${value}${after}`;
        const forms = [raw, JSON.stringify(raw), JSON.stringify(JSON.stringify({ raw }))];
        const text = forms[form % 3] as string;
        const shown = redactor.redactText(text);
        expect(shown).not.toContain([value, inJson(value), inJson(inJson(value))][form % 3]);
      }),
      { numRuns: 200 },
    );
  });

  it("secret.by-value: is hidden beside secrets that were remembered later", () => {
    const values = fc.uniqueArray(secret, { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(values, around, (all, between) => {
        const redactor = createRedactor();
        for (const value of all) {
          redactor.addSecret(value);
          redactor.redactText(between);
        }
        for (const value of all) expect(redactor.redactText(`${between} ${value} ${between}`)).not.toContain(value);
      }),
      { numRuns: 50 },
    );
  });

  it("secret.by-value: is hidden at any depth", () => {
    fc.assert(
      fc.property(fc.nat(250), fc.jsonValue({ maxDepth: 6 }), (depth, other) => {
        const redactor = createRedactor();
        redactor.learn({ env: { A: "Zq7MARK9f3a8c41d2e6b705x" } });
        let value: unknown = [other, "the Zq7MARK9f3a8c41d2e6b705x"];
        for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
        expect(JSON.stringify(redactor.redact(value))).not.toContain("Zq7MARK");
      }),
    );
  });
});

/** The secret with this number: characters of a range, in an order that no other secret has. */
function longSecret(n: number, length: number, first: number, range: number): string {
  return String.fromCharCode(
    ...Array.from({ length }, (_, at) => first + ((n * 7_919 + at * 104_729 + n * at * 31) % range)),
  );
}

function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
