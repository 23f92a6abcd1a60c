/**
 * The messages and stubs of CSI 1.13, generated from {@code src/main/protobuf}.
 *
 * <p>Receives: nothing. Hands on: messages and stubs to whoever speaks CSI, on either side. Runs on: the caller's
 * thread. If it fails: protobuf's own exceptions.
 */
@NullMarked
package io.cleat.csi.v1;

import org.jspecify.annotations.NullMarked;
