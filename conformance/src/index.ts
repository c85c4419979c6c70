export { listAllChecks } from './checks/list-all-checks.ts'
export { type CheckInfo, describeCheck } from './kit/catalogue.ts'
export type { Target } from './kit/check.ts'
export { UntestableError } from './kit/check.ts'
export type { ClientConfig, ClientConfigSource, ClientDeadlines } from './kit/config/client-config.ts'
export { defineClientConfig } from './kit/config/client-config.ts'
export type { DeliveryView, Driver, DriverInput, LaunchedProcess, ScriptStep } from './kit/config/driver.ts'
export type { ReceiverConfig, ReceiverConfigSource, ReceiverDriver } from './kit/config/receiver-config.ts'
export { defineReceiverConfig } from './kit/config/receiver-config.ts'
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
} from './kit/config/server-config.ts'
export { defineServerConfig } from './kit/config/server-config.ts'
export { UsageError } from './kit/config/usage-error.ts'
export type { WorkerConfig, WorkerConfigSource, WorkerDeadlines } from './kit/config/worker-config.ts'
export { defineWorkerConfig } from './kit/config/worker-config.ts'
export { SystemAbsentError } from './kit/system.ts'
export type { KnownFailure } from './report/baseline.ts'
export type { CauseGroup } from './report/causes.ts'
export { renderHtml } from './report/html.ts'
export { renderJunit } from './report/junit.ts'
export { renderMarkdown } from './report/markdown.ts'
export type { Status } from './report/status.ts'
export type { CheckReport, SuiteReport, TopicCoverage } from './report/suite-report.ts'
export { renderSummary } from './report/terminal.ts'
export { type ReferenceOptions, startReferenceGateway } from './run/reference/index.ts'
export { runSuite } from './run/run-suite.ts'
export type { Selection } from './run/selection.ts'
export type { SuiteOptions } from './run/suite-options.ts'
