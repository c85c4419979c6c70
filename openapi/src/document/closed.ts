/**
 * A type of the contract as this version of a gateway keeps it, at every depth: an open enumeration has only its known
 * values, and a union does not have `Fallback`, which stands for what later versions add. `closeDocument` does the same to
 * the document.
 */
export type Closed<Type, Fallback = never> = unknown extends Type
  ? Type
  : KnownStrings<Extract<Type, string>> | KnownMembers<Exclude<Type, string>, Fallback>

/** A plain string stays one: only beside known values does it stand for later ones. */
type KnownStrings<Type extends string> = [Literals<Type>] extends [never] ? Type : Literals<Type>

type Literals<Type extends string> = Type extends string ? (string extends Type ? never : Type) : never

type KnownMembers<Type, Fallback> = Type extends Fallback
  ? never
  : Type extends Blob
    ? Type
    : Type extends object
      ? { [Key in keyof Type]: Closed<Type[Key], Fallback> }
      : Type
