/** Whose the records of what was erased are: nobody's, since no subject begins with a space. */
export const ERASED_SUBJECT = ' erased'
