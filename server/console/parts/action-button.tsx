import type { ComponentChildren } from 'preact'
import { may, type OperationId } from '../data/permissions.ts'

interface ActionButtonProps {
  /** The operation that it calls. The button is hidden from operators who may not call it. */
  readonly operation: OperationId
  readonly label?: string
  readonly class?: string
  readonly onClick: () => void
  readonly children: ComponentChildren
}

/** A button for a change, shown to operators who may make it. */
export const ActionButton = ({ operation, label, class: look, onClick, children }: ActionButtonProps) =>
  may(operation) ? (
    <button type="button" class={look} aria-label={label} onClick={onClick}>
      {children}
    </button>
  ) : null
