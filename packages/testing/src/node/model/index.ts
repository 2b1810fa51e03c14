// For tests of agents that need a language model: a scripted model.

export {
  type AgentWithoutRecipe,
  agentsWithoutRecipe,
  type ModelRecipe,
  modelRecipeFor,
  modelRecipes,
  modelSetup,
} from "./model-recipes.js";
export type { ModelApi, ModelReply, ModelRequest, ModelScript, ModelTool } from "./model-request.js";
export { plainModel } from "./plain-model.js";
export { type ModelServer, type StartModelOptions, startModel } from "./start-model.js";
