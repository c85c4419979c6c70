// Generated from openapi/worker.yaml by `npm run generate`. Do not edit.

import type { Closed } from '../src/document/closed.ts'
import type * as open from './worker.ts'

export type * from './worker.ts'
export type Activity = Closed<open.Activity>
export type ActivityState = Closed<open.ActivityState>
export type Context = Closed<open.Context>
export type ContextMessage = Closed<open.ContextMessage>
export type EndedRun = Closed<open.EndedRun>
export type ExecuteRun = Closed<open.ExecuteRun>
export type News = Closed<open.News>
export type Problem = Closed<open.Problem>
export type RunState = Closed<open.RunState>
export type StopOrder = Closed<open.StopOrder>
export type operations = Closed<open.operations>
