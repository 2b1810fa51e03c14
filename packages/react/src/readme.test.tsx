import { agentScript } from "@acp-kit/testing";
import { expect, it } from "vitest";
import { press, render, type, until } from "../test/render.js";
import { scripted } from "../test/scripted.js";
import { App } from "./readme.examples.js";

it("is a chat: it connects, sends a prompt, and shows a permission request", async () => {
  const script = agentScript().onPrompt(async (turn) => {
    await turn.requestPermission(turn.toolCall("Edit a.ts"));
  });
  const { store, agents } = scripted(script);
  const { container } = await render(<App store={store} />);
  await until(() => container.querySelector("textarea:enabled") !== null);
  const input = container.querySelector("textarea") as HTMLTextAreaElement;
  await type(input, "hi");
  await press(input, "Enter");
  await until(() => container.querySelector("fieldset") !== null);
  expect(container.querySelector("fieldset")?.textContent).toContain("Edit a.ts");
  await press(container.querySelector("fieldset") as Element, "1");
  await until(() => container.querySelector("fieldset") === null);
  expect(agents[0]?.receivedSoFar("session/prompt")).toHaveLength(1);
});
