export type { Fetch, FetchInit, FetchResponse } from '../transport/fetch.ts'
export type {
  NewWorkerResource,
  WorkerAssistant,
  WorkerContextMessage,
  WorkerDecision,
  WorkerEnd,
  WorkerError,
  WorkerInput,
  WorkerOutcome,
  WorkerRequest,
  WorkerResource,
  WorkerStep,
} from './assistant.ts'
export { RunInterruptedError } from './assistant.ts'
export type { WorkerLog } from './log.ts'
export { type AssistantRun, type RunAssistantOptions, runAssistant } from './run-assistant.ts'
export { createWorker, type Worker, type WorkerOptions, WorkerRefusedError } from './worker.ts'
