import type { ElicitationOf } from "@acp-kit/client";
import type { ElicitationSchema } from "@acp-kit/types";
import { describe, expect, it } from "vitest";
import { createPaint } from "../text/paint.js";
import { askForm } from "./ask-form.js";
import { askUrl } from "./ask-url.js";
import { formFields } from "./form-field.js";
import { permissionChoices } from "./permission-question.js";
import { type Asker, choiceOf, type Question } from "./question.js";

/** A user who gives these answers; an invalid answer is followed by the next one. */
function person(...answers: readonly (string | undefined)[]): Asker & { readonly asked: Question[] } {
  const asked: Question[] = [];
  let next = 0;
  return {
    asked,
    async ask(question) {
      asked.push(question);
      for (;;) {
        const answer = answers[next++];
        const text = answer === "" ? (question.initial ?? "") : answer;
        if (text === undefined || question.check?.(text) === undefined) return text;
      }
    },
  };
}

const paint = createPaint(false);
const schema: ElicitationSchema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", minLength: 2, default: "Ada" },
    age: { type: "integer", minimum: 0, maximum: 150 },
    size: { type: "string", enum: ["S", "M"] },
    extras: {
      type: "array",
      items: {
        anyOf: [
          { const: "c", title: "Cheese" },
          { const: "h", title: "Ham" },
        ],
      },
      maxItems: 1,
    },
    agree: { type: "boolean" },
    mail: { type: "string", format: "email" },
  },
  required: ["name", "age"],
};
const form = { mode: "form", message: "Fill \u001b[2Jin", requestedSchema: schema } as unknown as ElicitationOf<"form">;

describe("a form", () => {
  it("prompts for each field, checks each answer, and sends the answers when the user agrees", async () => {
    const asker = person("", "old", "200", "42", "2", "cheese", "yes", "", "accept");
    expect(await askForm(form, { asker, paint })).toEqual({
      action: "accept",
      content: { name: "Ada", age: 42, size: "M", extras: ["c"], agree: true },
    });
    expect(asker.asked[0]?.lines[0]).toBe("? Fill in");
  });

  it("declines the form, or cancels it at any field", async () => {
    expect(await askForm(form, { asker: person("Bo", undefined), paint })).toEqual({ action: "cancel" });
    const declined = person("Bo", "1", "", "", "", "", "decline");
    expect(await askForm(form, { asker: declined, paint })).toEqual({ action: "decline" });
  });

  it("shows the problem with an invalid answer", () => {
    const read = (name: string, text: string) =>
      formFields(schema)
        .find((field) => field.name === name)
        ?.read(text);
    expect(read("age", "x")).toEqual(new Error("a number"));
    expect(read("age", "1.5")).toEqual(new Error("a whole number"));
    expect(read("extras", "1,2")).toEqual(new Error("at most 1"));
    expect(read("mail", "nobody")).toEqual(new Error("an e-mail address"));
    expect(read("size", "XL")).toEqual(new Error("one of 1–2"));
  });
});

describe("a request to open an address", () => {
  const at = (url: string) =>
    ({ mode: "url", message: "Look", url, elicitationId: "1" }) as unknown as ElicitationOf<"url">;

  it("shows the whole address, and opens it only if the user agrees", async () => {
    const opened: string[] = [];
    const asker = person("open");
    const answer = await askUrl(at("https://a.b/c?d=e"), { asker, paint }, (url) => opened.push(url));
    expect([answer, opened]).toEqual([{ action: "accept" }, ["https://a.b/c?d=e"]]);
    expect(asker.asked[0]?.lines).toContain("  https://a.b/c?d=e");
    await askUrl(at("https://a.b"), { asker: person("decline"), paint }, (url) => opened.push(url));
    expect(opened).toHaveLength(1);
  });

  it("does not offer to open an address that is not http: or https:", async () => {
    const asker = person("decline");
    await askUrl(at("file:///etc/passwd"), { asker, paint });
    expect(asker.asked[0]?.choices?.map(({ key }) => key)).toEqual(["y", "n"]);
  });
});

it("assigns a key to each option of a permission request, by the kind of the option", () => {
  const options = [
    { optionId: "1", name: "Yes", kind: "allow_once" },
    { optionId: "2", name: "Yes, and all like it", kind: "allow_always" },
    { optionId: "3", name: "Yes, \u001b[2Jin another way", kind: "allow_once" },
    { optionId: "4", name: "No", kind: "reject_once" },
  ] as const;
  expect(permissionChoices(options).map(({ key, label }) => `${key} ${label}`)).toEqual([
    "y Yes",
    "a Yes, and all like it",
    "3 Yes, in another way",
    "n No",
  ]);
});

it("finds a choice by its key or label, and not by an id or a single letter that the agent chose", () => {
  const options = [
    { optionId: "n", name: "Allow", kind: "allow_once" },
    { optionId: "no", name: "D", kind: "allow_always" },
  ] as const;
  const choices = permissionChoices(options);
  expect(["y", "Y", " allow "].map((text) => choiceOf(choices, text)?.value)).toEqual(["n", "n", "n"]);
  expect(["1", "2"].map((text) => choiceOf(choices, text)?.value)).toEqual(["n", "no"]);
  expect(["n", "no", "d", "", "3", "0"].map((text) => choiceOf(choices, text))).toEqual(Array(6).fill(undefined));
});

it("hostile.form-pattern: accepts any text if the agent's pattern takes too long", () => {
  const [field] = formFields({ type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } });
  expect(field?.read(`${"a".repeat(60)}!`)).toBe(`${"a".repeat(60)}!`);
  expect(field?.read("b")).toBeInstanceOf(Error);
});
