// Preloaded into the everything agent: it takes `initialize` for a request of version 1.
const { parse } = JSON;

JSON.parse = (text, reviver) => {
  const value = parse(text, reviver);
  if (value?.method === "initialize") value.params.protocolVersion = 1;
  return value;
};
