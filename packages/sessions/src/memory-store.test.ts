import { describeStore } from "../test/store-contract.js";
import { memoryStore } from "./memory-store.js";

describeStore("memory", memoryStore);
