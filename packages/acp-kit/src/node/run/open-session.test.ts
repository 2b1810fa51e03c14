import { RpcError, type Session } from "@acp-kit/client";
import { describe, expect, it } from "vitest";
import { applyChoice, type SessionChoice } from "./open-session.js";

const setup = { cwd: "/srv" };

/** Applies a choice in a session that offers the modes `ask` and `code`. */
async function apply(
  choice: Omit<SessionChoice, "setup">,
  fails = false,
): Promise<{ set: string[]; warned: string[] }> {
  const [set, warned]: [string[], string[]] = [[], []];
  const choices = [
    { value: "ask", name: "Ask" },
    { value: "code", name: "Code" },
  ];
  const options = {
    get: (category: string) => (category === "mode" ? { id: "mode", type: "select", choices } : undefined),
    async set(_: string, value: string) {
      if (fails) throw new RpcError(-32603, "No");
      set.push(value);
    },
  };
  await applyChoice({ options } as unknown as Session, { setup, ...choice }, (text) => warned.push(text));
  return { set, warned };
}

describe("the mode of a session", () => {
  const editor = { file: "/home/u/.config/zed/settings.json", isEditors: true };
  const own = { file: "/home/u/.config/acp-kit/agents.json", isEditors: false };

  it("comes from the command line, otherwise from settings; by id or name", async () => {
    expect(await apply({ mode: "Code", defaults: { ...editor } })).toEqual({ set: ["code"], warned: [] });
    expect(await apply({ defaults: { ...editor, mode: "ASK" } })).toEqual({ set: ["ask"], warned: [] });
    expect(await apply({ defaults: { ...own, mode: "code" } })).toEqual({ set: ["code"], warned: [] });
  });

  it("that an editor's settings name and the agent no longer has is left out with a warning", async () => {
    const { set, warned } = await apply({ defaults: { ...editor, mode: "architect", model: "gone" } });
    expect(set).toEqual([]);
    expect(warned).toEqual([
      `${editor.file}, "default_model": this agent offers no models to choose from. The agent keeps its own model.`,
      `${editor.file}, "default_mode": there is no mode "architect". This agent offers: ask (Ask), code (Code). The agent keeps its own mode.`,
    ]);
    expect((await apply({ defaults: { ...editor, mode: "code" } }, true)).warned).toEqual([
      `${editor.file}, "default_mode": No. The agent keeps its own mode.`,
    ]);
  });

  it("that the agent doesn't have is a mistake of the command line or of the user's settings, which it names", async () => {
    await expect(apply({ mode: "architect" })).rejects.toThrow('--mode: there is no mode "architect"');
    const message = `${own.file}, "mode": there is no mode "architect"`;
    await expect(apply({ defaults: { ...own, mode: "architect" } })).rejects.toThrow(message);
  });
});
