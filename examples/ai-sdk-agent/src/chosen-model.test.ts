import { expect, test, vi } from "vitest";
import { chosenModel } from "./chosen-model.js";

vi.mock("@ai-sdk/echo", () => ({ echo: (id: string) => `the model ${id}` }));
vi.mock("@ai-sdk/silent", () => ({ silent: undefined }));

test("without a name the scripted model thinks", async () => {
  expect(await chosenModel(undefined)).toMatchObject({ provider: "scripted" });
});

test("a name is a provider's package and what it calls its model", async () => {
  expect(await chosenModel("echo/large/2")).toBe("the model large/2");
});

test("a package that isn't one says so", async () => {
  await expect(chosenModel("silent/x")).rejects.toThrow(
    "@ai-sdk/silent has no silent(): write ACP_MODEL=provider/model",
  );
});
