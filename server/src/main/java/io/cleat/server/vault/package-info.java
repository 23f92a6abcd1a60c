/**
 * Secrets as they are stored: encrypted before they are decided, decrypted only for the node that needs them.
 *
 * <p>Receives: plain secrets on their way in, ciphertext of the image on its way out. Hands on: the other. Runs on: the
 * caller's thread. If it fails: a {@link io.cleat.base.DiskTrouble} that names the key that is needed; nothing that was
 * not decrypted is used.
 */
@NullMarked
package io.cleat.server.vault;

import org.jspecify.annotations.NullMarked;
