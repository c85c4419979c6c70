import { confirm } from '../parts/dialogs.tsx'

interface Rotation {
  /** The record that the secret belongs to. */
  readonly noun: 'service' | 'callback' | 'webhook'
  readonly id: string
  /** What the gateway does with the old secret during the overlap. */
  readonly overlap: string
  readonly rotate: (overlap: { overlap_seconds: number }) => Promise<{ readonly secret?: string }>
}

/** Asks for confirmation, and then rotates a signing secret with an overlap of one hour. */
export const askToRotateSecret = ({ noun, id, overlap, rotate }: Rotation, refresh: () => void): void =>
  confirm({
    title: `Rotate the secret of ${id}?`,
    consequences: [
      'A new secret is made and shown once.',
      overlap,
      'If the secret has leaked, rotate it on the command line without an overlap: the old secret then stops working at once.',
    ],
    action: 'Rotate secret',
    run: async () => {
      const { secret } = await rotate({ overlap_seconds: 3600 })
      refresh()
      return secret === undefined ? undefined : { secret, title: `New secret of ${noun} ${id}` }
    },
    done: 'The secret was rotated.',
  })
