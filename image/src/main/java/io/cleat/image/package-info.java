/**
 * Container images without a container engine: an archive that {@code docker save} wrote, or an OCI image layout,
 * becomes layers on disk that tasks share.
 *
 * <p>Receives: the name of an image in a job, and where it may be read. Hands on: directories of unpacked layers, and
 * what the image says about its program. Runs on: the caller's thread; all that strangers made is read in a process of
 * its own, confined and without a network. If it fails: a {@link io.cleat.base.DriverTrouble} with no effect that says
 * what is wrong with the image; the agent loses nothing but that process, and the next start removes what it left.
 */
@NullMarked
package io.cleat.image;

import org.jspecify.annotations.NullMarked;
