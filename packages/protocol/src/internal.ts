// For the other packages of this repository. This entry is not covered by semantic versioning.
export {
  isNameMember,
  isSecretName,
  type MemberSetting,
  type Place,
  placeInObject,
  placeOfItem,
  placeOfMember,
  REDACTED,
  SECRET_WORDS,
} from "./secret-places.js";
