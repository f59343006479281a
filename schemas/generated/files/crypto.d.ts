// Generated from stdlib/files/safety/crypto/commands.yaml by `npm run generate`. Do not edit.
export interface Commands {
  /** Encrypt a file with AES-GCM into a self-describing envelope. */
  FA_encrypt_file: {
    params: {
      /** Plain file. */
      source: string
      /** Encrypted file to write. */
      target: string
      /** Key of 16, 24 or 32 bytes. */
      key: string
      /** Extra data that is authenticated but not encrypted. */
      associated_data: string
    }
    /** sizes before and after */
    result: {
      plaintext_bytes: number
      ciphertext_bytes: number
    }
  }
  /** Decrypt a file written by the encrypt command. */
  FA_decrypt_file: {
    params: {
      /** Encrypted file. */
      source: string
      /** Plain file to write. */
      target: string
      /** Key of 16, 24 or 32 bytes. */
      key: string
      /** Expected extra data. */
      associated_data: (string | null)
    }
    /** sizes before and after */
    result: {
      ciphertext_bytes: number
      plaintext_bytes: number
    }
  }
  /** Make a random key. */
  FA_generate_key: {
    params: {
      /** Key length in bits. */
      bits: (128 | 192 | 256)
    }
    /** the key */
    result: string
  }
  /** Turn a password into an encryption key. */
  FA_key_from_password: {
    params: {
      /** Password, taken as UTF-8. */
      password: string
      /** Random salt, at least 16 bytes. */
      salt: string
      /** Rounds of the derivation. */
      iterations: number
      /** Key length in bits. */
      bits: (128 | 192 | 256)
    }
    /** the key */
    result: string
  }
}
