// Exports for authors of engines.
export { type ContractCase, type ContractEngine, engineContract } from "./engine/engine-contract.js";
