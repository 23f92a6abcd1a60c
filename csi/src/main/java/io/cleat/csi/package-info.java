/**
 * The client side of CSI 1.13: identity, controller and node calls over a plugin's Unix socket, with the outcome of
 * each over all its tries.
 *
 * <p>Receives: requests as records, from whoever mounts or makes volumes. Hands on: checked replies, or a
 * {@link io.cleat.csi.CsiTrouble} that says what is known of the effect. Runs on: the caller's thread, which blocks. If
 * it fails: nothing is cleaned up here; an unknown effect stays unknown until the same call succeeds.
 */
@NullMarked
package io.cleat.csi;

import org.jspecify.annotations.NullMarked;
