// Building blocks of the checks in `decode.gen.ts`.
export { oneOf, tagged } from "./choices.js";
export { lenientList, list, record } from "./lists.js";
export {
  type Check,
  fail,
  failAt,
  failOneOf,
  fill,
  inside,
  mend,
  type Run,
  replace,
  within,
} from "./run.js";
export { isDateTime, isInteger, isLongString, isNumber, isObject, isUri } from "./scalars.js";
export { struct, type Test } from "./struct.js";
export { anyTag, anything, firstOf, onlyOneOf, orUntagged, tagless, untaggedOr } from "./unions.js";
