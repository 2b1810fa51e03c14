// Our server with our agent, as a program. It prints its address.
import { kitAgent } from "./kit.js";
import { serveOurs } from "./remote-servers.js";

const server = await serveOurs(kitAgent());
console.log(server.address("streamable HTTP"));
