import { topicOf } from '../../openapi/src/rules.ts'

/** The address of a rule in the site. */
export const ruleLink = (id: string): string => `${topicLink(topicOf(id))}#${id.toLowerCase()}`

/** The address of the rules of a topic. */
export const topicLink = (topic: string): string => `/rules/${topic.toLowerCase()}`

/** `Requests: headers, request IDs, order of checks` → `Requests`. */
export const topicTitle = (title: string): string => title.replace(/:.*/, '')
