import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;

/**
 * A language model of the AI SDK, in the version of the interface that both `ai` 6 and 7 take. It is an interface of its own, so that what is
 * inferred from it names this package and not one that you have not installed.
 */
export interface LanguageModelV3 extends Model {}

/** What a model is called with. */
export type ModelCallOptions = Parameters<LanguageModelV3["doStream"]>[0];

/** What a model's stream is made of. */
export type ModelStreamPart =
  Awaited<ReturnType<LanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** What a model answers as a whole. */
export type ModelResult = Awaited<ReturnType<LanguageModelV3["doGenerate"]>>;

/** What was asked for and can't be had. */
export type ModelWarning = ModelResult["warnings"][number];

export type ModelFinishReason = ModelResult["finishReason"];
export type ModelUsage = ModelResult["usage"];
export type ModelPrompt = ModelCallOptions["prompt"];
