/**
 * Records to bytes and back, in envelopes that carry the format's name, its version and a checksum. Every stored or
 * sent format of Cleat that is made of records goes through here.
 *
 * <p>Receives: records. Hands on: bytes, and records read back. Runs on: the caller's thread. If it fails: a
 * {@link io.cleat.base.DiskTrouble} says which format could not be read and why; nothing is skipped.
 */
@NullMarked
package io.cleat.codec;

import org.jspecify.annotations.NullMarked;
