import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isRpcError } from "@acp-kit/protocol";
import { describe, expect, test } from "vitest";
import { contextOf, playground } from "../../../test/playground.js";
import { type Swap, whileSwapping } from "../../../test/swapper.js";
import { pathsBelow } from "../../../test/tree.js";
import { systemTracking } from "./tracking.js";
import { workspaceFiles } from "./workspace-files.js";

const ROUNDS = 120;

// The state that a round meets depends on timing. The allowed results do not: content from inside or an error, and no
// change outside.
describe.runIf(systemTracking === "descriptor")("while another process swaps", () => {
  test.each([
    ["a folder on the way", true],
    ["the file", false],
  ])("workspace.never-outside: %s for a link to outside, by reading", async (_, folder) => {
    const { swap, target, files, context } = setup(folder);
    const seen = new Set<unknown>();
    await rounds(swap, async () => {
      seen.add(await settled(files.readTextFile({ sessionId: "s1", path: target }, context)));
    });
    for (const each of seen) expect(["INSIDE", -32602, -32002]).toContain(each);
  });

  test.each([
    ["a folder on the way", true],
    ["the file", false],
  ])("workspace.never-outside: %s for a link to outside, by writing", async (_, folder) => {
    const { swap, target, files, context } = setup(folder);
    await rounds(swap, async (round) => {
      const fresh = join(target, "..", `new-${round}`, "a.txt");
      for (const path of [target, fresh]) {
        await settled(files.writeTextFile?.({ sessionId: "s1", path, content: "INSIDE" }, context));
      }
    });
  });

  test.each([
    ["a folder on the way", true],
    ["the file", false],
  ])("workspace.never-outside: %s for a link to outside, by renaming and deleting", async (_, folder) => {
    const { swap, target, files, context, place } = setup(folder);
    const home = join(place.work, "home.txt");
    await rounds(swap, async () => {
      place.file("work/home.txt", "INSIDE");
      await settled(files.renameFile?.({ sessionId: "s1", path: home, targetPath: target }, context));
      await settled(files.renameFile?.({ sessionId: "s1", path: target, targetPath: `${home}2` }, context));
      await settled(files.deleteFile?.({ sessionId: "s1", path: `${home}2` }, context));
      await settled(files.deleteFile?.({ sessionId: "s1", path: target }, context));
    });
  });

  function setup(folder: boolean) {
    const place = playground();
    mkdirSync(join(place.work, "links"));
    mkdirSync(join(place.work, "folder"));
    const target = join(place.work, "folder", "secret.txt");
    const swap = {
      one: folder ? join(place.work, "folder") : target,
      other: join(place.work, "links", "link"),
      target: folder ? place.outside : join(place.outside, "secret.txt"),
      folder,
    };
    return {
      place,
      target,
      swap: { ...swap, place },
      files: workspaceFiles({ deleteAndRename: true }),
      context: contextOf(place.work),
    };
  }

  async function rounds(
    { place, ...swap }: Swap & { readonly place: ReturnType<typeof playground> },
    action: (round: number) => Promise<void>,
  ) {
    const swaps = await whileSwapping(swap, async () => {
      for (let round = 0; round < ROUNDS; round++) await action(round);
    });
    expect(swaps).toBeGreaterThan(0);
    expect(place.untouched()).toEqual({ [join(place.outside, "secret.txt")]: "SECRET" });
    expect(pathsBelow(place.work).filter(({ path }) => path.endsWith(".tmp"))).toEqual([]);
  }

  /** Returns the content or the error code. Throws if the agent got content from outside. */
  async function settled(action: Promise<unknown> | undefined): Promise<unknown> {
    try {
      return ((await action) as { content?: string } | undefined)?.content;
    } catch (error) {
      if (isRpcError(error)) return error.code;
      throw error;
    }
  }
});
