import { topicOf } from '../../openapi/src/rules.ts'

/** The address of a rule in the site. */
export const ruleLink = (id: string): string => `/rules/${topicOf(id).toLowerCase()}#${id.toLowerCase()}`
