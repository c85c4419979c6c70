export type { Delivery, Exchange } from './exchange.ts'
export type { AnswerPart, Break, CannedAnswer, Fault, FaultRule } from './fault.ts'
export type { FaultProxy, FaultProxyOptions } from './start-fault-proxy.ts'
export { startFaultProxy } from './start-fault-proxy.ts'
