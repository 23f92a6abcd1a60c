package io.cleat.driver.exec;

import java.util.Optional;

/**
 * The root of a container that is an image's: mounted, for this container alone.
 *
 * @param program what the image says of it
 * @param passwd its {@code /etc/passwd}; empty if it has none
 * @param group its {@code /etc/group}
 */
record ImageRoot(TaskImages.Program program, Optional<String> passwd, Optional<String> group) {}
