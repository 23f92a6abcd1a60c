package io.cleat.kernel;

/**
 * Whose files are in a mount (mount_setattr(2), {@code MOUNT_ATTR_IDMAP}, from Linux 5.12): what belongs to
 * {@code user} and {@code group} on the disk belongs there to the user and group of the number {@code own}, and the
 * other way round. All else is as on the disk.
 *
 * @param user from 0 to 4,294,967,294, as the others; not {@code own}
 */
public record IdSwap(long user, long group, long own) {}
