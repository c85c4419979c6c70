/** The gateway's logo, a decoration beside its name. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M8 11.5h16M8 16h10M8 20.5h13" />
    <circle cx="23.5" cy="16" r="2.2" />
  </svg>
)
