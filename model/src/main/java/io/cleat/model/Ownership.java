package io.cleat.model;

import org.jspecify.annotations.Nullable;

/**
 * Whose the topmost directory of a volume is to be. What is null stays as it is.
 *
 * @param uid 0 to 4,294,967,294
 * @param gid 0 to 4,294,967,294; a plugin that mounts for a group is asked to mount for this one
 * @param mode permission bits, such as 0750 in octal
 */
public record Ownership(
        @Nullable Long uid, @Nullable Long gid, @Nullable Integer mode) {
    /** What is said here; what is not, as {@code below} says. */
    Ownership over(@Nullable Ownership below) {
        return below == null
                ? this
                : new Ownership(
                        uid == null ? below.uid : uid, gid == null ? below.gid : gid, mode == null ? below.mode : mode);
    }

    boolean isSilent() {
        return uid == null && gid == null && mode == null;
    }

    /** Such as {@code owner 999, mode 0750}. */
    public String words() {
        StringBuilder words = new StringBuilder();
        if (uid != null) {
            words.append("owner ").append((long) uid);
        }
        if (gid != null) {
            words.append(words.isEmpty() ? "" : ", ").append("group ").append((long) gid);
        }
        if (mode != null) {
            words.append(words.isEmpty() ? "" : ", ").append("mode %04o".formatted(mode));
        }
        return words.toString();
    }
}
