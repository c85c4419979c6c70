import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError } from '../data/describe-error.ts'
import { announce } from './announcer.tsx'
import { type EntryField, EntryFields } from './entry-fields.tsx'
import { CopyButton } from './identifier.tsx'

/** A change that an operator confirms before it is made. */
export interface Confirmation {
  readonly title: string
  /** What will happen, and what will not. */
  readonly consequences: readonly string[]
  /** The values to enter for it. Default none. */
  readonly fields?: readonly EntryField[]
  /** The label of the button. */
  readonly action: string
  readonly isDangerous?: boolean
  /** Makes the change with the entered values. A secret in the answer is shown once. */
  readonly run: (entered: FormData) => Promise<Secret | undefined>
  /** The announcement after the change. */
  readonly done: string
}

interface Secret {
  readonly secret: string
  readonly title: string
}

type Shown = { kind: 'confirm'; what: Confirmation } | ({ kind: 'secret' } & Secret)

const shown = signal<Shown | null>(null)
const close = (): void => {
  shown.value = null
}

/** Asks for confirmation, and makes the change inside the dialog. */
export const confirm = (what: Confirmation): void => {
  shown.value = { kind: 'confirm', what }
}

/** The one dialog of the page. */
export const Dialogs = () => {
  const current = shown.value
  if (current === null) return null
  return current.kind === 'confirm' ? (
    <ConfirmDialog what={current.what} />
  ) : (
    <Modal title={current.title} isKept>
      <p>It is shown only once. Store it before you close this dialog.</p>
      <p class="secret">
        <code>{current.secret}</code>
        <CopyButton text={current.secret} of="the secret" />
      </p>
      <footer>
        <button type="button" class="primary" onClick={close}>
          I have stored it
        </button>
      </footer>
    </Modal>
  )
}

const ConfirmDialog = ({ what }: { what: Confirmation }) => {
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })
  const [entered, setEntered] = useState(new FormData())
  const run = async (event: SubmitEvent & { readonly currentTarget: HTMLFormElement }): Promise<void> => {
    event.preventDefault()
    setState({ isBusy: true, error: null })
    try {
      const result = await what.run(new FormData(event.currentTarget))
      shown.value = result === undefined ? null : { kind: 'secret', ...result }
      announce(what.done)
    } catch (error) {
      setState({ isBusy: false, error: describeError(error) })
    }
  }
  return (
    <Modal title={what.title} isKept={state.isBusy}>
      <ul class="consequences">
        {what.consequences.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
      <form onSubmit={run} onInput={({ currentTarget }) => setEntered(new FormData(currentTarget))}>
        {what.fields !== undefined && <EntryFields fields={what.fields} entered={entered} />}
        {state.error !== null && (
          <p class="notice tone-bad" role="alert">
            {state.error}
          </p>
        )}
        <footer>
          <button type="button" disabled={state.isBusy} onClick={close}>
            Go back
          </button>
          <button type="submit" class={what.isDangerous === true ? 'danger' : 'primary'} disabled={state.isBusy}>
            {what.action}
          </button>
        </footer>
      </form>
    </Modal>
  )
}

interface ModalProps {
  readonly title: string
  /** Escape does not close it: a secret that it shows, or the answer that it waits for, would be lost. */
  readonly isKept?: boolean
  readonly children: ComponentChildren
}

const Modal = ({ title, isKept = false, children }: ModalProps) => {
  const element = useRef<HTMLDialogElement>(null)
  useEffect(() => element.current?.showModal(), [])
  return (
    <dialog
      ref={element}
      aria-labelledby="dialog-title"
      onCancel={(event) => isKept && event.preventDefault()}
      // At a second press of Escape, browsers close the dialog without a cancelable event. Open it again.
      onClose={isKept ? () => element.current?.showModal() : close}
    >
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  )
}
