/** What `next` makes of a handler's answer: at once where the handler answered at once, so that the client's answer leaves at once, too. */
export function whenAnswered<Answer, Result>(
  answer: Answer | PromiseLike<Answer>,
  next: (answer: Answer) => Result,
): Result | PromiseLike<Result> {
  return isPromiseLike(answer) ? answer.then(next) : next(answer);
}

/** Whether a handler answers later. */
export function isPromiseLike<Answer>(answer: Answer | PromiseLike<Answer>): answer is PromiseLike<Answer> {
  return typeof answer === "object" && answer !== null && "then" in answer && typeof answer.then === "function";
}
