import { playAsModel } from "./as-model.js";
import { playWithOurClient } from "./our-client.js";
import { playground } from "./playground.js";
import { playWithSdkClient } from "./sdk-client.js";

await using place = await playground();
const sessionId = await playWithOurClient(place);
console.log("ai-sdk-agent: our client saw it work, refuse, crash and remember");
await playWithSdkClient(place, sessionId);
console.log("ai-sdk-agent: the SDK's client loaded and resumed the session, permitted, answered and cancelled");
await playAsModel();
console.log("ai-sdk-agent: called as a model it remembered, and its process ended");
