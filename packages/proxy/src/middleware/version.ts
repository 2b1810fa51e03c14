/** The version that the middleware names in the result of `initialize`. */
export const MIDDLEWARE_VERSION = "1";
