/** The models of older agents, which tell them apart from options. No part of the protocol any more. */
export interface ModelState {
  readonly currentModelId: string;
  readonly availableModels: readonly {
    readonly modelId: string;
    readonly name: string;
    readonly description?: string | null;
  }[];
}

/** Reads the `models` that some agents answer to new, load and resume; `undefined` when there are none, or they can't be read. */
export function modelStateOf(answer: object): ModelState | undefined {
  const { models } = answer as { models?: unknown };
  const { currentModelId, availableModels } = Object(models) as Record<string, unknown>;
  if (typeof currentModelId !== "string" || !Array.isArray(availableModels)) return undefined;
  return {
    currentModelId,
    availableModels: availableModels.flatMap((model: unknown) => {
      const { modelId, name, description } = Object(model) as Record<string, unknown>;
      if (typeof modelId !== "string") return [];
      return [
        {
          modelId,
          name: typeof name === "string" ? name : modelId,
          ...(typeof description === "string" && { description }),
        },
      ];
    }),
  };
}
