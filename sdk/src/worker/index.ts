export type { Fetch, FetchInit, FetchResponse } from '../transport/fetch.ts'
export type {
  NewWorkerResource,
  WorkerActivity,
  WorkerAssistant,
  WorkerContextMessage,
  WorkerDecision,
  WorkerEnd,
  WorkerError,
  WorkerInput,
  WorkerOutcome,
  WorkerPastActivity,
  WorkerRequest,
  WorkerResource,
  WorkerStep,
  WorkerUsage,
} from './assistant.ts'
export { RunInterruptedError } from './assistant.ts'
export type { WorkerLog } from './execute-run.ts'
export { type AssistantRun, type RunAssistantOptions, runAssistant } from './run-assistant.ts'
export { createWorker, type Worker, type WorkerOptions, WorkerRefusedError } from './worker.ts'
