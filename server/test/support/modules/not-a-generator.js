export default async function () {
  return 'hello'
}
