/** Scrolls the sidebar, and only the sidebar, to the entry of the open page: the theme can leave it out of view. */
export const showActiveEntry = (): void => {
  const sidebar = document.querySelector('.VPSidebar')
  const entry = sidebar?.querySelector('.is-active > .item > a')
  if (!sidebar || !entry) return
  const [box, { top, bottom }] = [sidebar.getBoundingClientRect(), entry.getBoundingClientRect()]
  if (top < box.top || bottom > box.bottom) sidebar.scrollTop += top - box.top - box.height / 2
}
