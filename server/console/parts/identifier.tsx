import { Link } from 'wouter-preact'
import { announce } from './announcer.tsx'
import { shortenId } from './format.ts'

/** An ID. A generated one is shortened, unless `whole` is set; the title is the whole ID. */
export const Identifier = ({ id, href, whole = false }: { id: string; href?: string; whole?: boolean }) => {
  const text = whole ? id : shortenId(id)
  return href === undefined ? (
    <code class="id" title={id}>
      {text}
    </code>
  ) : (
    <Link href={href} class="id" title={id}>
      {text}
    </Link>
  )
}

/** Copies a text, and announces that it was copied. */
export const CopyButton = ({ text, of }: { text: string; of: string }) => (
  <button
    type="button"
    class="quiet small"
    aria-label={`Copy ${of}`}
    onClick={() => {
      navigator.clipboard.writeText(text).then(
        () => announce(`Copied ${of}.`),
        () => announce('The browser does not allow copying here; select the text instead.'),
      )
    }}
  >
    Copy
  </button>
)

/** The whole ID of the record that the page shows. */
export const SubjectId = ({ id }: { id: string }) => (
  <p class="subject-id">
    <Identifier id={id} whole />
    <CopyButton text={id} of="the ID" />
  </p>
)
