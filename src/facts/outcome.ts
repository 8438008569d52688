// What finished calls prove: loaded together, for events that carry an outcome.
export { failureOf } from "./failure.js";
export { finishedRun, testRunOf } from "./test-run.js";
