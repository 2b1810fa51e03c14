import { playAsModel } from "./as-model.js";
import { playWithOurClient } from "./our-client.js";
import { playground } from "./playground.js";
import { playWithSdkClient } from "./sdk-client.js";

await using place = await playground();
const sessionId = await playWithOurClient(place);
console.log("ai-sdk-agent: with our client, the agent worked, accepted a refusal, crashed and continued");
await playWithSdkClient(place, sessionId);
console.log("ai-sdk-agent: the SDK's client loaded and resumed the session, permitted, answered and cancelled");
await playAsModel();
console.log("ai-sdk-agent: as a model, the agent remembered the conversation, and its process ended");
