/** What an operator may do; each role may do what the ones before it may. */
export const OPERATOR_ROLES = ['read', 'operate', 'admin'] as const
export type OperatorRole = (typeof OPERATOR_ROLES)[number]

export const mayOperate = (role: OperatorRole, needed: OperatorRole): boolean =>
  OPERATOR_ROLES.indexOf(role) >= OPERATOR_ROLES.indexOf(needed)

/** What the operator is called whose token is a setting. */
export const ENVIRONMENT_OPERATOR = 'GATEWAY_ADMIN_TOKEN'
