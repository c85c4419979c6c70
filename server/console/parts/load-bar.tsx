/** How much of a capacity is used, as a bar and in figures. */
export const LoadBar = ({ used, of }: { used: number; of: number }) => (
  <span class="load-bar">
    <progress value={used} max={Math.max(of, 1)} aria-label={`${used} of ${of}`} />
    <span aria-hidden="true">
      {used} / {of}
    </span>
  </span>
)
