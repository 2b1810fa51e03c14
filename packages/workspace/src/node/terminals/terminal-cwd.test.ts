import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { isRpcError } from "@acp-kit/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { contextOf, errorOf, playground } from "../../../test/playground.js";
import { whileSwapping } from "../../../test/swapper.js";
import { systemTracking } from "../files/tracking.js";
import { type WorkspaceTerminals, workspaceTerminals } from "./workspace-terminals.js";

const STARTS = 150;
const open: WorkspaceTerminals[] = [];
afterEach(async () => {
  for (const terminals of open.splice(0)) await terminals.close();
});

function setup() {
  const place = playground();
  const terminals = workspaceTerminals({ maxTerminals: 1_000 });
  open.push(terminals);
  const context = contextOf(place.work);
  /** Returns the working directory of a command from the kernel, because the variable `PWD` may differ. */
  const startIn = async (cwd: string): Promise<string> => {
    const { terminalId } = await terminals.createTerminal(
      { sessionId: "s1", command: "/bin/sh", args: ["-c", "/bin/pwd -P"], cwd },
      context,
    );
    const terminal = { sessionId: "s1", terminalId };
    await terminals.waitForTerminalExit(terminal, context);
    const { output } = await terminals.terminalOutput(terminal, context);
    await terminals.releaseTerminal(terminal, context);
    return output.trim();
  };
  return { ...place, terminals, context, startIn };
}

describe.runIf(systemTracking === "descriptor")("the working directory of a command, while folders are swapped", () => {
  it("workspace.confined-start: is inside the roots, although a folder above it is swapped for a link to outside", async () => {
    const { work, outside, startIn } = setup();
    mkdirSync(join(work, "links"));
    mkdirSync(join(outside, "sub"));
    const one = join(work, "folder");
    const swap = { one, other: join(work, "links", "link"), target: outside, folder: true };
    const seen = new Set<string>();
    const swaps = await whileSwapping(swap, async () => {
      for (let start = 0; start < STARTS; start++) {
        const output = await startIn(one).catch((error: unknown) => {
          if (isRpcError(error)) return "refused";
          throw error;
        });
        seen.add(output);
      }
    });
    expect(swaps).toBeGreaterThan(0);
    expect([...seen].filter((path) => path.startsWith(outside))).toEqual([]);
    expect([...seen].some((path) => path.startsWith(one))).toBe(true);
  });
});

describe("the working directory of a command", () => {
  it("is the directory itself, even if it is moved while the command starts", async () => {
    const { work, startIn, path } = setup();
    mkdirSync(join(work, "a"));
    symlinkSync("a", join(work, "link"));
    expect(await startIn(join(work, "link"))).toBe(join(work, "a"));
    renameSync(join(work, "a"), join(path, "elsewhere"));
    expect(await errorOf(startIn(join(work, "link")))).toMatchObject({ code: -32602, reason: "bad_cwd" });
  });

  it("hostile.long-commands: is refused immediately when it is longer than the system allows", async () => {
    const { work, startIn } = setup();
    for (const cwd of [
      `${work}/${"a/".repeat(500_000)}`,
      `${work}/${"a".repeat(1_000_000)}/${"b/../".repeat(300_000)}`,
    ]) {
      const { code, reason, message } = await errorOf(startIn(cwd));
      expect({ code, reason }).toEqual({ code: -32602, reason: "bad_cwd" });
      expect(message.length).toBeLessThan(200);
    }
  });
});
