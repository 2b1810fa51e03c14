export { v2 } from "./client-version.js";
