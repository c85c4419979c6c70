/** The subject of erased records. No request can name it, since subjects cannot begin with a space. */
export const ERASED_SUBJECT = ' erased'
