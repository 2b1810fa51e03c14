import { expect, test, vi } from "vitest";
import { chosenModel } from "./chosen-model.js";

vi.mock("@ai-sdk/echo", () => ({ echo: (id: string) => `the model ${id}` }));
vi.mock("@ai-sdk/silent", () => ({ silent: undefined }));

test("without ACP_MODEL, the model is the scripted model", async () => {
  expect(await chosenModel(undefined)).toMatchObject({ provider: "scripted" });
});

test("ACP_MODEL is a provider's package and the name of a model", async () => {
  expect(await chosenModel("echo/large/2")).toBe("the model large/2");
});

test("a package without a provider is an error", async () => {
  await expect(chosenModel("silent/x")).rejects.toThrow(
    "@ai-sdk/silent has no silent(): write ACP_MODEL=provider/model",
  );
});
