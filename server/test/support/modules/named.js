export async function* assistant() {
  yield { delta: 'named' }
}
