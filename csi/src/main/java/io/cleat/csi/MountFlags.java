package io.cleat.csi;

import io.cleat.base.Secret;
import java.util.List;

/** Mount flags, in order. They may hold passwords, so they never print. */
public final class MountFlags {
    private static final MountFlags NONE = new MountFlags(List.of());

    private final List<String> flags;

    private MountFlags(List<String> flags) {
        this.flags = List.copyOf(flags);
    }

    public static MountFlags none() {
        return NONE;
    }

    public static MountFlags of(List<String> flags) {
        return flags.isEmpty() ? NONE : new MountFlags(flags);
    }

    public boolean isEmpty() {
        return flags.isEmpty();
    }

    /** The flags themselves, for the plugin's call and for storing. */
    public List<String> reveal() {
        return flags;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MountFlags that && flags.equals(that.flags);
    }

    @Override
    public int hashCode() {
        return flags.hashCode();
    }

    @Override
    public String toString() {
        return flags.isEmpty() ? "[]" : Secret.REDACTED;
    }
}
