// The server of the official SDK 2.4.0 with an agent, as a program. It prints its address.
import { serveSdk2 } from "./remote-servers.js";
import { sdk2Agent } from "./sdk-2.js";

const server = await serveSdk2(sdk2Agent);
console.log(server.address("streamable HTTP"));
