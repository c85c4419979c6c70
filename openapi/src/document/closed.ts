/**
 * The strict form of a type of the contract for this version of a gateway, at every depth: open enumerations have only
 * their known values, and unions lack `Fallback`, which represents the additions of later versions. `closeDocument`
 * does the same for the document.
 */
export type Closed<Type, Fallback = never> = unknown extends Type
  ? Type
  : KnownStrings<Extract<Type, string>> | KnownMembers<Exclude<Type, string>, Fallback>

/** Plain strings remain: a string represents later values only in a union with known values. */
type KnownStrings<Type extends string> = [Literals<Type>] extends [never] ? Type : Literals<Type>

type Literals<Type extends string> = Type extends string ? (string extends Type ? never : Type) : never

type KnownMembers<Type, Fallback> = Type extends Fallback
  ? never
  : Type extends Blob
    ? Type
    : Type extends object
      ? { [Key in keyof Type]: Closed<Type[Key], Fallback> }
      : Type
