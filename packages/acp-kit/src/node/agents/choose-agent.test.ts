import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type FakeHost, fakeHost } from "../../../test/fake-host.js";
import { sandbox } from "../../../test/spawned.js";
import { chooseAgent } from "./choose-agent.js";

let place: ReturnType<typeof sandbox>;
beforeEach(() => {
  place = sandbox();
  for (const name of ["goose", "kimi"]) {
    writeFileSync(join(place.cwd, name), "#!/bin/sh\n");
    chmodSync(join(place.cwd, name), 0o755);
  }
});
afterEach(() => place.remove());

const host = (terminal: boolean): FakeHost =>
  fakeHost({ terminal, env: { HOME: place.home, PATH: place.cwd, NO_COLOR: "1" } });

it.skipIf(process.platform === "win32").each([
  ["the number", "2", "kimi"],
  ["the name", "goose", "goose"],
  ["Enter: the first", "", "goose"],
])(
  "chat without an agent lists the agents of this machine on a terminal; the user chooses by %s",
  async (_, typed, id) => {
    const here = host(true);
    const chosen = chooseAgent(here);
    here.type(`${typed}\n`);
    expect(await chosen).toBe(id);
    expect(here.err()).toBe(
      "  1  goose  goose, on the PATH\n  2  kimi   Kimi CLI, on the PATH\nWhich agent? [1-2, Enter: 1] ",
    );
    expect(here.out()).toBe("");
  },
);

it.skipIf(process.platform === "win32").each(["3", "0", "no such agent"])(
  "a choice that is not in the list is refused: %s",
  async (typed) => {
    const here = host(true);
    const chosen = chooseAgent(here);
    here.type(`${typed}\n`);
    await expect(chosen).rejects.toThrow(`There is no agent "${typed}" in the list.`);
  },
);

it.skipIf(process.platform === "win32")("without a terminal, the agents are listed in the error", async () => {
  await expect(chooseAgent(host(false))).rejects.toThrow(
    "The agent is missing. These are installed: goose, kimi. Give a name, as in: acp-kit chat goose",
  );
});
