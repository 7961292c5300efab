/** Every code, token and client secret that the servers of this process have given out, for a scan of what is left behind. */
export const issuedSecrets = new Set<string>();

/** Every secret that a test has typed into the editor, for the same scan. */
export const typedSecrets = new Set<string>();
