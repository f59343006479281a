// Generated from stdlib/files/safety/crypto/commands.yaml by `npm run generate`. Do not edit.
// oxfmt-ignore
export interface Commands {
  /** Encrypt a file with AES-GCM into a self-describing envelope. */
  FA_encrypt_file: {
    params: {
      /** Plain file. */
      source: string
      /** Encrypted file to write. */
      target: string
      /** Key of 32 bytes, base64. */
      key: string
      /** Extra data that is authenticated but not encrypted, base64. */
      associated_data: string
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
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
      /** Key of 16, 24 or 32 bytes, base64. */
      key: string
      /** Extra data that the file must hold, base64; whatever it holds when left out. */
      associated_data: (string | null)
      /** Name under which the transfer is watched and cancelled. */
      progress_name: (string | null)
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
      /** File to write the key into as well, readable by its owner only; it must not be there yet. */
      key_path: (string | null)
    }
    /** the key */
    result: string
  }
  /** Turn a password into an encryption key. */
  FA_key_from_password: {
    params: {
      /** Password, taken as UTF-8. */
      password: string
      /** Random salt of at least 16 bytes, base64. */
      salt: string
      /** Rounds of the derivation; 600000 are recommended. */
      iterations: number
      /** Key length in bits. */
      bits: (128 | 192 | 256)
      /** Take fewer than 100000 rounds. */
      force: boolean
    }
    /** the key */
    result: string
  }
}
