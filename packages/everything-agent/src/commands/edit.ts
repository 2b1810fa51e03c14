import { diff, isRpcError, type ToolCallHandle } from "@acp-kit/agent";
import { ErrorCode, hasCapability } from "@acp-kit/protocol";
import type { EverythingCommand } from "../command.js";
import type { Scene } from "../scene.js";
import { pathOf } from "./path-of.js";
import { allOptions, describeDecision } from "./permission.js";

/** Reads a file, shows a change, requests permission, and writes the file, as coding agents do. */
export const edit: EverythingCommand = {
  name: "edit",
  description: "Propose a change of a file as a diff, request permission, and write the file if allowed",
  hint: "[path]",
  async play(scene) {
    const name = scene.args || "example.txt";
    const path = pathOf(scene.session.place.cwd, name);
    const file = await current(scene, path);
    if (file === undefined) return scene.sendText(`I could not read ${name}, so it stays as it is.`);
    const { oldText } = file;
    const newText = `${oldText ?? ""}One more line, by the everything agent.\n`;
    const change = diff({ path, newText, ...(oldText !== undefined && { oldText }) });
    const init = { kind: "edit", title: `Edit ${name}`, name: "edit_file", status: "pending" } as const;
    const done = await scene.tool({ ...init, locations: [{ path }], content: [change] }, async (call) => {
      if (!(await mayRun(scene, call))) return;
      await call.start();
      const missing = (["read", "write"] as const).find((verb) => !can(scene, `${verb}TextFile`));
      if (missing !== undefined)
        await scene.sendText(`This client can't ${missing} files, so the agent only pretends to write.`);
      else await scene.turn.client.writeTextFile({ path, content: newText });
      return { rawOutput: { characters: newText.length } };
    });
    await scene.sendText(done ? `${name} has been changed.` : `${name} stays as it is.`);
  },
};

/**
 * Returns the file's text, or no text if the file does not exist or the client can't read files. Returns `undefined` if
 * the file may exist, but can't be read: an edit would replace its whole text.
 */
async function current(scene: Scene, path: string): Promise<{ readonly oldText: string | undefined } | undefined> {
  if (!can(scene, "readTextFile")) return { oldText: undefined };
  let oldText: string | undefined;
  let isMissing = false;
  const init = { kind: "read", title: "Read it first" } as const;
  const done = await scene.tool({ ...init, locations: [{ path }], rawInput: { path } }, async () => {
    try {
      ({ content: oldText } = await scene.turn.client.readTextFile({ path }));
    } catch (error) {
      isMissing = isRpcError(error) && error.code === ErrorCode.resourceNotFound;
      throw error;
    }
    return { rawOutput: { characters: oldText.length } };
  });
  return done || isMissing ? { oldText } : undefined;
}

/**
 * Checks the mode, then the user's earlier choice for this session, and then requests permission. Fails the call if the
 * edit is not allowed.
 */
async function mayRun(scene: Scene, call: ToolCallHandle): Promise<boolean> {
  const { mode } = scene.session.settings;
  const { rules } = scene.session;
  const rule = rules.get("edit");
  if (mode === "plan") return refuse(call, "In plan mode the agent changes nothing");
  if (mode === "code" || rule === "allow_always") return true;
  if (rule === "reject_always") return refuse(call, "You rejected edits for this session");
  const decision = await call.requestPermission(allOptions);
  const { allowed, option } = decision;
  const kind = option?.kind;
  if (kind === "allow_always" || kind === "reject_always") rules.set("edit", kind);
  scene.turn.signal.throwIfAborted();
  await scene.sendText(`About the edit: ${describeDecision(decision)}`);
  return allowed || refuse(call, "Not allowed");
}

async function refuse(call: ToolCallHandle, why: string): Promise<false> {
  await call.fail(why);
  return false;
}

function can({ turn }: Scene, method: "readTextFile" | "writeTextFile"): boolean {
  return hasCapability(turn.client.capabilities, `clientCapabilities.fs.${method}`);
}
