export { type CheckInfo, describeCheck } from './catalogue.ts'
export type { Target } from './check.ts'
export { UntestableError } from './check.ts'
export type { ClientConfig, ClientConfigSource, ClientDeadlines } from './config/client-config.ts'
export { defineClientConfig } from './config/client-config.ts'
export type { DeliveryView, Driver, DriverInput, LaunchedProcess, ScriptStep } from './config/driver.ts'
export { UsageError } from './config/load-config.ts'
export type { ReceiverConfig, ReceiverConfigSource, ReceiverDriver } from './config/receiver-config.ts'
export { defineReceiverConfig } from './config/receiver-config.ts'
export type {
  AdminConfig,
  AppConfig,
  CallbacksConfig,
  DeadlinesConfig,
  ServerConfig,
  ServerConfigSource,
  ServicesConfig,
  WebhookConfig,
  WebhooksConfig,
} from './config/server-config.ts'
export { defineServerConfig } from './config/server-config.ts'
export type { WorkerConfig, WorkerConfigSource, WorkerDeadlines } from './config/worker-config.ts'
export { defineWorkerConfig } from './config/worker-config.ts'
export { listAllChecks } from './list-all-checks.ts'
export { type ReferenceOptions, startReferenceGateway } from './reference/index.ts'
export type { CauseGroup } from './report/causes.ts'
export { renderHtml } from './report/html.ts'
export { renderJunit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export type { Status } from './report/status.ts'
export type { CheckReport, SuiteReport, TopicCoverage } from './report/suite-report.ts'
export { renderSummary } from './report/terminal.ts'
export type { KnownFailure } from './runner/baseline.ts'
export { runSuite } from './runner/run-suite.ts'
export type { Selection } from './runner/selection.ts'
export type { SuiteOptions } from './runner/suite-options.ts'
export { SystemAbsentError } from './system.ts'
