import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { commandLine } from "../../../test/program.js";
import { demoAgent, sandbox } from "../../../test/spawned.js";
import { noTmux, openTerminal, type Terminal } from "../../../test/tmux.js";

const reason = noTmux();
if (reason !== undefined) {
  console.log(`Not run: acp-kit chat in a real terminal, because ${reason}.`);
  it.skip(`acp-kit chat in a real terminal: ${reason}`, () => {});
}

const { cwd, home, remove } = sandbox();
afterAll(remove);
beforeEach(() => writeFileSync(join(cwd, "notes.txt"), "one\n"));
let terminal: Terminal | undefined;
afterEach(() => terminal?.close());

/** A chat with the demo agent, ready to be written in. */
async function chat(env: Readonly<Record<string, string>> = {}, columns = 80, rows = 24): Promise<Terminal> {
  const command = [process.execPath, await commandLine(), "chat", ...(await demoAgent())];
  terminal = await openTerminal(command, { cwd, env: { HOME: home, ...env }, columns, rows });
  await terminal.until("Ask · Parrot");
  return terminal;
}

describe.skipIf(reason !== undefined)("acp-kit chat in a real terminal", () => {
  it("shows a plan, a tool call with its diff, and asks by keys", async () => {
    const { type, press, until } = await chat();
    await type("/plan");
    await press("Enter");
    expect(await until("The plan is done.")).toContain("Plan 4 of 4\n✔ Read the code\n");
    await type("/edit notes.txt");
    await press("Enter");
    const asked = await until(
      "  2 + One more line, by the everything agent.\n  y Allow   a Always allow   n Reject   d Always reject   esc reject",
    );
    expect(asked).toContain("? Edit notes.txt\n  notes.txt\n  1   one\n");
    await press("y");
    const done = await until("notes.txt has been changed.");
    expect(done).toContain("✓ Edit notes.txt\n  1   one\n  2 + One more line");
    expect(done).toMatch(/› Ask, or \/help\nAsk · Parrot · \/plan\n*$/);
    expect(readFileSync(join(cwd, "notes.txt"), "utf8")).toContain("One more line");
  });

  it("is coloured, and renders Markdown; with NO_COLOR it is not", async () => {
    const coloured = await chat();
    await coloured.type("**bold** `code`");
    await coloured.press("Enter");
    await coloured.until("Say /help");
    expect(await coloured.screen(true)).toContain("\u001b[1mbold");
    await coloured.close();
    const plain = await chat({ NO_COLOR: "1" });
    await plain.type("**bold**");
    await plain.press("Enter");
    await plain.until("Say /help");
    expect(await plain.screen(true)).toContain("1. text: **bold**");
    expect(await plain.screen(true)).not.toContain("\u001b[");
  });

  it("Ctrl-C cancels the turn, twice leaves, and the terminal is its own again", async () => {
    const { type, press, until } = await chat();
    await type("/slow 60");
    await press("Enter");
    await until(/Working \d+s · Esc cancels/);
    await type("wait for it");
    await press("Enter");
    await until("then: wait for it");
    await press("C-c");
    await until("■ Cancelled");
    await until("› wait for it"); // the queued prompt is in the input again
    await press("C-c");
    await until("› Ask, or /help");
    await press("C-c");
    await until("Ctrl-C again quits");
    await press("C-c");
    await until("left with 0");
    await type("echoed");
    await until("left with 0\nechoed");
  });

  it("completes commands and files by Tab", async () => {
    const { type, press, until } = await chat();
    await until("Ask, or /help");
    await type("/perm");
    await until("/permissions  show the permission policy");
    await press("Tab");
    await until("› /permission\n");
    await press("Tab");
    await until("› /permissions\n");
    await press("C-u");
    await type("see @no");
    await press("Tab");
    await until("› see @notes.txt");
    await press("Enter");
    await until("2. resource file:");
  });

  it("takes several lines, by a backslash and by pasting, and has what was written before", async () => {
    const { type, press, paste, until } = await chat();
    await type("one\\");
    await press("Enter");
    await paste("two\nthree");
    await until("› one\n  two\n  three");
    await press("Enter");
    await until("1. text: one\n   two\n   three");
    await press("Up");
    await until(/› one\n {2}two\n {2}three\nAsk · /);
  });

  it("stays whole when the terminal is made smaller and larger", async () => {
    const { type, press, resize, until, screen } = await chat();
    await type("/run echo hello");
    await press("Enter");
    await until("The command ended");
    await type("a prompt that is as long as a narrow terminal is wide");
    await resize(40, 12);
    await until(/› a prompt that is as long as a narrow {0,1}\n {3}terminal is wide\nAsk · /);
    await resize(100, 30);
    await until("› a prompt that is as long as a narrow terminal is wide\nAsk · ");
    expect((await screen()).match(/a prompt that/g)).toHaveLength(1);
  });

  it("has the live lines once after the screen was cleared and the terminal resized", async () => {
    const { type, press, resize, until, all } = await chat({}, 100, 30);
    await press("C-l");
    const line =
      "MARK, a line that is longer than a hundred columns, so that it takes more rows than one, up to its very END";
    await type(line);
    await until("END");
    for (const [index, columns] of [60, 40, 33, 100].entries()) {
      await resize(columns, 30);
      // tmux notifies a program of its new size a moment after it has moved the lines.
      await until(`› ${line.slice(0, columns - 4).trimEnd()}\n`);
      await type(".");
      await until(new RegExp(`END(?:\\.\\s*){${index + 1}}Ask`));
      const shown = await all();
      expect(shown.match(/MARK/g), shown).toHaveLength(1);
      expect(shown.match(/^Ask · Parrot/gm)?.length, shown).toBeLessThanOrEqual(2); // one from before it was cleared
    }
  });

  it("has the live lines once, and what was said above them, when the terminal is resized while they are drawn", async () => {
    const { type, press, resize, until, screen, all } = await chat({}, 100, 30);
    const words = (mark: string) =>
      `${mark}, a line that is longer than the terminal will be wide, so that it is wrapped`;
    await type("/slow 60");
    await press("Enter");
    await until(/Working \d+s · Esc cancels/);
    await type(words("QUEUED"));
    await press("Enter");
    await until("then: QUEUED");
    await type(words("WRITTEN"));
    const spinner = async (): Promise<string> => /[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.exec(await screen())?.[0] ?? "";
    const nextFrame = async (): Promise<void> => {
      const before = await spinner();
      await vi.waitFor(async () => expect(await spinner()).not.toBe(before), { timeout: 20_000, interval: 10 });
    };
    // No key was pressed for a moment: the cursor is painted.
    await vi.waitFor(async () => expect(await screen(true)).toContain("\u001b[7m"), { timeout: 20_000 });
    // tmux notifies a program of the first of two sizes immediately, and of the second a quarter of a second after it
    // has moved the lines.
    for (const [told, untold] of [
      [60, 33],
      [100, 45],
      [80, 40],
      [60, 100],
    ] as const) {
      await resize(told, 30);
      await resize(untold, 30);
      await nextFrame();
      await nextFrame();
    }
    await until(/then: QUEUED.*so that it is wrapped$/m);
    const shown = await all();
    expect(shown, "what was said before").toContain("› /slow 60\n\nI will be busy for 60 seconds. Cancel me.\n");
    expect(shown.match(/QUEUED/g), shown).toHaveLength(1);
    expect(shown.match(/WRITTEN/g), shown).toHaveLength(1);
    expect(shown.match(/Esc cancels/g), shown).toHaveLength(1);
    expect(shown.match(/^Ask · Parrot/gm), shown).toHaveLength(1);
  });

  it("Esc cancels the turn, and the end of it says how to come back", async () => {
    const { type, press, until } = await chat();
    await type("/slow 60");
    await press("Enter");
    await until(/Working \d+s · Esc cancels/);
    await press("Escape");
    await until("■ Cancelled");
    await type("/quit");
    await press("Enter");
    const left = await until("left with 0");
    expect(left).toContain("Continue this session later: acp-kit chat --continue --");
    expect(left).toContain("acp-kit chat --session ");
  });

  it("moves in menus by the arrow keys, and says which keys a question takes", async () => {
    const { type, press, until } = await chat();
    await type("/mod");
    await until("/modes  list the modes");
    await press("Down");
    await until("› /mode\n");
    await press("Down");
    await until("› /modes\n");
    await press("Escape");
    await until("› /mod\nAsk · ");
    await press("C-u");
    await type("/edit notes.txt");
    await press("Enter");
    await until("esc reject");
    await press("x");
    await until(`"x" chooses nothing`);
    await press("Down");
    await press("Down");
    await press("Down");
    await press("Enter");
    await until("✗ Edit notes.txt  rejected");
  });

  it("/help is whole in a narrow terminal", async () => {
    const { type, press, until, all } = await chat({}, 50, 24);
    await type("/help");
    await press("Enter");
    await until("of the same name");
    const words = (await all()).replace(/\s+/g, " ");
    expect(words).not.toContain("…");
    expect(words).toContain("show the last messages of the protocol, show each new message, or save all messages");
  });

  it("asks the fields of a form, and takes no answer for one when it is given up", async () => {
    const { type, press, until } = await chat();
    await type("/form");
    await press("Enter");
    await until("Name (text; Enter: Ada)");
    await press("Enter");
    await until("E-mail (email; optional)");
    await type("nobody");
    await press("Enter");
    await until("Expected an e-mail address.");
    await press("Escape");
    await until("You chose: cancel.");
  });
});
