import { growthOf, LINEAR } from "@acp-kit/configs/growth";
import type { IncomingRequestPermissionRequest, IncomingToolCallUpdate, PermissionOption } from "@acp-kit/types";
import { describe, expect, test } from "vitest";
import type { NamedPermissionRule, PermissionContext } from "./permission-rule.js";
import { allow, allowReads, type PermissionMatch, permissionMatchLimits, reject } from "./permission-rules.js";

const all: PermissionOption[] = (["reject_always", "allow_always", "reject_once", "allow_once"] as const).map(
  (kind) => ({ optionId: `id of ${kind}`, name: kind, kind }),
);

function asking(
  call: Partial<IncomingToolCallUpdate>,
  options = all,
  sessionId = "s1",
): IncomingRequestPermissionRequest {
  return { sessionId, toolCall: { toolCallId: "t", ...call }, options };
}

const context = {
  session: { roots: ["/work", "/more"] },
  signal: new AbortController().signal,
} as unknown as PermissionContext;

const decide = (
  rule: NamedPermissionRule,
  call: Partial<IncomingToolCallUpdate>,
  options?: PermissionOption[],
): unknown => rule.decide(asking(call, options), context);

const at = (...paths: string[]): Partial<IncomingToolCallUpdate> => ({ locations: paths.map((path) => ({ path })) });

describe("what a rule matches", () => {
  const matches = async (match: PermissionMatch, call: Partial<IncomingToolCallUpdate>): Promise<boolean> =>
    (await decide(allow(match), call)) !== undefined;
  const refuses = async (match: PermissionMatch, call: Partial<IncomingToolCallUpdate>): Promise<boolean> =>
    (await decide(reject(match), call)) !== undefined;

  test("kinds; a call without a kind is other", async () => {
    expect(await matches({ kinds: ["edit"] }, { kind: "edit" })).toBe(true);
    expect(await matches({ kinds: ["edit"] }, { kind: "delete" })).toBe(false);
    expect(await matches({ kinds: ["other"] }, {})).toBe(true);
  });

  test("names and titles; a pattern with a lastIndex starts anew each time", async () => {
    expect(await matches({ names: ["Bash"] }, { name: "Bash" })).toBe(true);
    expect(await matches({ title: "npm test" }, { title: "npm test && rm -rf /" })).toBe(false);
    const title = /^npm /g;
    for (let round = 0; round < 3; round += 1) expect(await matches({ title }, { title: "npm test" })).toBe(true);
  });

  test("within: every path, diffs too, by its real place and not by its spelling", async () => {
    expect(await matches({ within: "session" }, at("/work/a", "/more/b", "sub/c"))).toBe(true);
    expect(await matches({ within: "session" }, at("/work/a", "/etc/passwd"))).toBe(false);
    expect(await matches({ within: ["/work"] }, at("/work-2/a"))).toBe(false);
    expect(await matches({ within: ["/work"] }, at("/work/../etc"))).toBe(false);
    const diff = { type: "diff" as const, path: "/etc/hosts", newText: "" };
    expect(await matches({ within: ["/work"] }, { ...at("/work/a"), content: [diff] })).toBe(false);
  });

  test("within: a call that names no path does not match", async () => {
    expect(await matches({ within: ["/"] }, {})).toBe(false);
  });

  test("touching: any path; in any case of letters for rejecting, exactly for allowing", async () => {
    const match = { touching: ["/work/.env", "/work/.git"] };
    expect(await refuses(match, at("/work/a", "/work/.git/config"))).toBe(true);
    expect(await refuses(match, at(".ENV"))).toBe(true);
    expect(await refuses(match, at("/work/.env.example"))).toBe(false);
    expect(await refuses(match, {})).toBe(false);
    expect(await matches(match, at("/work/a", "/work/.git/config"))).toBe(true);
    expect(await matches(match, at(".ENV"))).toBe(false);
  });

  const long = "a/".repeat(permissionMatchLimits.maxPathLength);
  const many = at(...Array.from({ length: permissionMatchLimits.maxPaths + 1 }, (_, n) => `/work/${n}`));
  test.each([
    ["a path that can't be resolved", at("~/x")],
    ["a path over the limit", at(`/work/${long}`)],
    ["a relative path over the limit", at(long)],
    ["more paths than the limit", many],
  ])("hostile.rules-fail-safe: %s is what `reject` looks for and never what `allow` does", async (_, call) => {
    for (const match of [{ touching: ["/work"] }, { within: ["/work"] }]) {
      expect(await refuses(match, call)).toBe(true);
      expect(await matches(match, call)).toBe(false);
    }
  });

  test("hostile.rules-fail-safe: `allow` never matches a call with a path that can't be resolved, whatever its other paths are", async () => {
    for (const paths of [
      ["/work/a", "~/x"],
      ["~/x", "/work/a"],
      ["/work/a", `/work/${long}`],
    ]) {
      for (const match of [{ touching: ["/work"] }, { within: ["/work"] }, { within: ["/work"], touching: ["/work"] }])
        expect(await matches(match, at(...paths))).toBe(false);
      expect(await refuses({ touching: ["/work"] }, at(...paths))).toBe(true);
    }
  });

  test("as many paths as the limit are compared", async () => {
    const call = at(...Array.from({ length: permissionMatchLimits.maxPaths }, (_, n) => `/work/${n}`));
    expect(await matches({ within: ["/work"] }, call)).toBe(true);
    expect(await refuses({ touching: ["/etc"] }, call)).toBe(false);
  });

  test("rejecting within: not when one path is known to be elsewhere", async () => {
    expect(await refuses({ within: ["/work"] }, at("/WORK/a", "~/x"))).toBe(true);
    expect(await refuses({ within: ["/work"] }, at("/etc", "~/x"))).toBe(false);
  });

  test("hostile.rules-fail-safe: a title over the limit is what `reject` looks for and never what `allow` does", async () => {
    const call = { title: `${"a".repeat(permissionMatchLimits.maxTitleLength)}b` };
    const title = /(a+)+$/; // on the whole title it would never come to an end
    expect(await matches({ title }, call)).toBe(false);
    expect(await refuses({ title }, call)).toBe(true);
    expect(await refuses({ title: "npm test" }, call)).toBe(false);
  });

  test("realPath: links are followed, and one that fails is not inside", async () => {
    const realPath = async (path: string): Promise<string> => {
      if (path === "/work/gone") throw new Error("ENOENT");
      return path.replace("/work/link", "/etc");
    };
    expect(await matches({ within: ["/work"], realPath }, at("/work/a"))).toBe(true);
    expect(await matches({ within: ["/work"], realPath }, at("/work/link/passwd"))).toBe(false);
    expect(await matches({ within: ["/work"], realPath }, at("/work/gone"))).toBe(false);
    expect(await matches({ touching: ["/etc"], realPath }, at("/work/link/passwd"))).toBe(true);
  });

  test("realPath: the links of the folders are followed, too", async () => {
    const realPath = async (path: string): Promise<string> => {
      if (path.startsWith("/gone")) throw new Error("ENOENT");
      return path.replace("/home/keys", "/data");
    };
    const touching = ["/home/keys", "/gone"];
    expect(await matches({ touching, realPath }, at("/home/keys/id_rsa"))).toBe(true);
    expect(await matches({ touching, realPath }, at("/data/id_rsa"))).toBe(true);
    expect(await matches({ within: ["/home/keys"], realPath }, at("/data/a", "/home/keys/b"))).toBe(true);
    expect(await matches({ within: ["/gone"], realPath }, at("/gone/a"))).toBe(false);
    const rejects = (path: string): unknown => decide(reject({ touching, realPath }), at(path));
    expect(await rejects("/home/keys/id_rsa")).toBe("reject_once");
    expect(await rejects("/data/id_rsa")).toBe("reject_once");
    expect(await rejects("/gone/a")).toBe("reject_once");
    expect(await rejects("/work/a")).toBeUndefined();
  });

  test("sessions, and anything else", async () => {
    expect(await matches({ sessions: ["s2"] }, {})).toBe(false);
    expect(await matches({ when: async ({ toolCall }) => toolCall.rawInput === 1 }, { rawInput: 1 })).toBe(true);
  });
});

describe("the decision of a rule when a kind is missing", () => {
  const only = (...kinds: string[]): PermissionOption[] => all.filter(({ kind }) => kinds.includes(kind));

  test("allowing once never becomes always: the next rule decides", async () => {
    expect(await decide(allowReads(), { kind: "read" }, only("allow_always", "reject_once"))).toBeUndefined();
    expect(await decide(allowReads(), { kind: "search" })).toBe("allow_once");
    expect(await decide(allowReads(), { kind: "edit" })).toBeUndefined();
  });

  test("a call to reject is not left to the next rule", async () => {
    expect(await decide(reject({}), {}, only("allow_once"))).toBe("reject");
    expect(await decide(reject({}), {})).toBe("reject_once");
    expect(await decide(reject({}, { kind: "reject_always" }), {}, only("reject_once"))).toBe("reject_always");
  });
});

describe("the worst input is read in time that grows with its length", () => {
  test.each([
    ["dots at the end of a Windows name", (size: number) => `C:\\${".".repeat(size)}x`],
    ["spaces in a Windows name", (size: number) => `C:\\${" ".repeat(size)}x`],
    ["streams of a Windows name", (size: number) => `C:\\${":".repeat(size)}\n`],
    ["a share without a name", (size: number) => `\\\\server${"\\".repeat(size)}`],
    ["folders", (size: number) => `/${"a/".repeat(size)}`],
    ["steps up", (size: number) => `/${"../".repeat(size)}`],
    ["accents", (size: number) => `/work/.git/a${"\u0315".repeat(size)}${"\u0300".repeat(size)}`],
    ["a scheme", (size: number) => "a".repeat(size)],
  ])("hostile.linear-text: %s, in one path", async (_, pathOf) => {
    const work = async (size: number): Promise<void> => {
      const path = pathOf(size);
      await decide(reject({ touching: ["/work/.git"] }), at(path));
      await decide(allow({ within: "session" }), at(path));
    };
    expect(await decide(reject({ touching: ["/work/.git"] }), at(pathOf(4_000_000)))).toBe("reject_once");
    expect(await decide(allow({ within: "session" }), at(pathOf(4_000_000)))).toBeUndefined();
    expect(await growthOf(work)).toBeLessThan(LINEAR);
  });

  const windows = { ...context, session: { roots: ["C:\\work"] } } as unknown as PermissionContext;
  const longest = permissionMatchLimits.maxPathLength - 20;
  test.each([
    ["dots", (n: number) => `C:\\work\\${".".repeat(longest)}x${n}`],
    ["streams", (n: number) => `C:\\work\\${":".repeat(longest)}\n${n}`],
    ["accents", (n: number) => `C:\\${"\u0315".repeat(longest / 2)}${"\u0300".repeat(longest / 2)}\\${n}`],
  ])("hostile.linear-text: %s, in as many paths as are read", async (_, path) => {
    const paths = Array.from({ length: permissionMatchLimits.maxPaths }, (_, n) => path(n));
    expect(await reject({ touching: ["C:\\work\\.env"] }).decide(asking(at(...paths)), windows)).toBeUndefined();
  });

  test("locations and options", async () => {
    const locations = Array.from({ length: 300_000 }, (_, n) => ({ path: `/work/${n}` }));
    expect(await decide(reject({ touching: ["/etc"] }), { locations })).toBe("reject_once");
    const options = Array.from({ length: 300_000 }, (_, n) => ({ optionId: `${n}`, name: "", kind: "_odd" as never }));
    expect(await decide(allowReads(), { kind: "read" }, options)).toBeUndefined();
  });
});
