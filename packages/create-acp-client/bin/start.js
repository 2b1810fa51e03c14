import { createProject } from "create-acp-agent";

process.exitCode = await createProject(new URL("..", import.meta.url), process.argv.slice(2));
