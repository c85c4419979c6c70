import { useEffect, useRef, useState } from 'preact/hooks'
import { describeError, isUnauthenticated } from '../data/describe-error.ts'
import { signIn, signOutReason } from '../session.ts'
import { Mark } from './mark.tsx'

export const SignIn = () => {
  const field = useRef<HTMLInputElement>(null)
  const [state, setState] = useState<{ isBusy: boolean; error: string | null }>({ isBusy: false, error: null })
  useEffect(() => {
    document.title = 'Sign in · Conversation Gateway'
    field.current?.focus()
  }, [])
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault()
    const token = field.current?.value ?? ''
    if (token.trim() === '') return setState({ isBusy: false, error: 'Enter a token.' })
    setState({ isBusy: true, error: null })
    try {
      await signIn(token)
    } catch (error) {
      const unknown = 'The gateway does not know this token.'
      setState({ isBusy: false, error: isUnauthenticated(error) ? unknown : describeError(error) })
      field.current?.select()
    }
  }
  return (
    <main class="sign-in">
      <form onSubmit={submit} aria-labelledby="sign-in-title">
        <Mark />
        <h1 id="sign-in-title">Conversation Gateway</h1>
        <p class="muted">Operator console</p>
        {signOutReason.value !== null && <p class="notice tone-warn">{signOutReason.value}</p>}
        <label for="token">Operator token</label>
        <input
          ref={field}
          id="token"
          type="password"
          autoComplete="current-password"
          spellcheck={false}
          aria-describedby="token-help"
          aria-invalid={state.error !== null}
        />
        {state.error !== null && (
          <p class="notice tone-bad" role="alert">
            {state.error}
          </p>
        )}
        <button type="submit" class="primary" disabled={state.isBusy}>
          Sign in
        </button>
        <p id="token-help" class="muted small">
          A token from the Operators page, or <code>GATEWAY_ADMIN_TOKEN</code>; on the embedded database, that is in{' '}
          <code>.data/admin-token</code>. The token stays in the memory of this page, so reloading signs you out.
        </p>
      </form>
    </main>
  )
}
